extension Graph {
  /// A storage that several processes share, and that lets one of them at a time send a request for a response that
  /// is not stored. The others wait for its response.
  ///
  /// A client asks for a lease if ``CachePolicy/cacheFirst`` has found no response. If the storage throws an error, the
  /// client sends the request without a lease: no failure of the storage is one of the query.
  public protocol LeasingStorage: ResponseStorage {
    /// Waits until a usable response is stored under `key`, or until this process may send the request for it.
    ///
    /// - Parameters:
    ///   - limit: the maximum time to wait; nil for the storage's own. The storage may wait for a shorter time.
    ///   - isUsable: whether a stored response can be used. One that cannot counts as missing.
    func lease(
      for key: CacheKey, within limit: Duration?,
      unless isUsable: @escaping @Sendable (CachedResponse) -> Bool
    ) async throws -> LeaseOutcome
  }

  /// The end of the wait for a lease.
  public enum LeaseOutcome: Sendable {
    /// A usable response is stored.
    case stored(CachedResponse)
    /// This process sends the request. It must end the lease.
    case granted(any ResponseLease)
    /// There is no lease: the limit has passed, the responses to this query cannot be stored, or the storage cannot
    /// be reached. The client sends the request.
    case unavailable
  }

  /// The right to send the request for one response. While it exists, the storage extends it.
  public protocol ResponseLease: Sendable {
    /// Stores the response, and ends the lease. The processes that wait for it get the response.
    func store(_ response: CachedResponse) async throws
    /// Ends the lease without a response.
    ///
    /// - Parameter letsOthersAsk: whether all waiting processes send their own requests, since the response cannot be
    ///   stored. Otherwise, the request has failed, and one of them gets the lease.
    func end(letsOthersAsk: Bool) async
  }
}
