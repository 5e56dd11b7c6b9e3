import GraphJSON

/// Limits that prevent a small document from causing an endless response.
public struct ExecutionLimits: Sendable {
  /// The maximum nesting of objects and lists in a response. A deeper one is an execution error.
  public var maximumDepth: Int
  /// The maximum number of values in a response, including those inside objects and lists. With one
  /// more, the execution ends without data.
  public var maximumPositions: Int

  /// Limits far above any useful response.
  public init(maximumDepth: Int = 256, maximumPositions: Int = 2_000_000) {
    self.maximumDepth = min(maximumDepth, JSONDocument.defaultMaximumDepth)
    self.maximumPositions = maximumPositions
  }
}
