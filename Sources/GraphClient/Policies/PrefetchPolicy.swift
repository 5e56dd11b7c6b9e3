extension Graph {
  /// When a client starts its prefetches, and how many may wait.
  public struct PrefetchPolicy: Sendable, Hashable {
    /// The maximum number of prefetches that wait. If there are more, the oldest are dropped.
    public var maximumWaiting: Int
    /// The maximum number of prefetches that run at the same time.
    public var maximumRunning: Int
    /// A prefetch starts only while the client has at most this number of other requests in progress.
    public var maximumOtherRequests: Int

    /// A policy.
    public init(maximumWaiting: Int = 20, maximumRunning: Int = 2, maximumOtherRequests: Int = 1) {
      self.maximumWaiting = maximumWaiting
      self.maximumRunning = maximumRunning
      self.maximumOtherRequests = maximumOtherRequests
    }
  }
}
