extension Graph {
  /// Whether operations that are sent at nearly the same time share one HTTP request: a JSON array
  /// of them. Not every server supports this.
  public struct BatchPolicy: Sendable, Hashable {
    /// How long the first operation of a batch waits for others.
    public var window: Duration
    /// The maximum number of operations in a batch; at 1, each has its own request.
    public var maximumCount: Int

    /// A policy with batches that are sent when they are full or their window closes.
    public init(window: Duration = .milliseconds(10), maximumCount: Int = 10) {
      self.window = window
      self.maximumCount = max(1, maximumCount)
    }

    /// Each operation has its own request.
    public static let off = BatchPolicy(window: .zero, maximumCount: 1)
  }
}
