extension HTTPExchange {
  /// The body of an answer as it arrives.
  final class Body {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let progress: (Int) -> Void

    init(limit: Int, progress: @escaping (Int) -> Void) {
      self.limit = limit
      self.progress = progress
    }

    /// Whether the bytes fit; nothing more is taken when they do not.
    // Safe: the bytes are copied during the call that lends them.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
      guard bytes.count + more.count <= limit else { return false }
      unsafe bytes += more
      progress(bytes.count)
      return true
    }
  }
}
