import GraphQLRuntime

extension Graph {
  /// The requests that a live query or list sends by itself because its response is missing in the store.
  ///
  /// The store may be unable to keep the responses to two queries at once, such as the start of a list and its end. If
  /// both are observed, each response would cause a request for the other one, without end. So one request a minute
  /// is sent.
  struct MissingRequests {
    private static let interval = Duration.seconds(60)
    private var last: Timestamp?

    /// - Returns: whether a request may be sent now. It counts then.
    mutating func begin(at now: Timestamp) -> Bool {
      if let last, last.boot == now.boot, now.uptime - last.uptime < Self.interval { return false }
      last = now
      return true
    }
  }
}
