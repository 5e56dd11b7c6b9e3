extension HTTPExchange {
  /// The body of a response as it arrives.
  final class Body {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let progress: (Int) -> Void

    init(limit: Int, progress: @escaping (Int) -> Void) {
      self.limit = limit
      self.progress = progress
    }

    /// Whether the bytes fit; if they do not, nothing more is accepted.
    // Safe: the bytes are valid during the call, which copies them.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
      guard bytes.count + more.count <= limit else { return false }
      unsafe bytes += more
      progress(bytes.count)
      return true
    }
  }
}
