extension HTTPExchange {
  /// The body of a response as it arrives.
  final class Body {
    private(set) var bytes: [UInt8] = []
    /// Whether bytes were refused since they exceed the limit.
    private(set) var isTooLarge = false
    private let limit: Int
    private let progress: (Int) -> Void

    init(limit: Int, progress: @escaping (Int) -> Void) {
      self.limit = limit
      self.progress = progress
    }

    /// Whether the bytes fit; if they do not, nothing more is accepted.
    // Safe: the bytes are valid during the call, which copies them.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
      isTooLarge = bytes.count + more.count > limit
      if isTooLarge { return false }
      unsafe bytes += more
      progress(bytes.count)
      return true
    }
  }
}
