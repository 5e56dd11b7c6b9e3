import GraphQLRuntime

extension Graph {
  /// A limiter for the clients of a process.
  ///
  /// ```swift
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.rateLimiter = Graph.BudgetLimiter()
  /// ```
  ///
  /// Each token has a budget of its own. Until a response tells about it, requests are not delayed, unless `budget` is
  /// given. Requests get their points in the order in which they ask, so that a costly one is not overtaken by cheap
  /// ones. The budget is what is left of the last response's, less what was reserved since: other programs with the
  /// same token reduce it.
  public final class BudgetLimiter: RateLimiter {
    private let budgets = Locked<LeastRecentlyUsed<String, Bucket>>(
      LeastRecentlyUsed(capacity: 10_000))
    private let initial: RateBudget?
    private let time: any TimeSource

    /// A limiter.
    ///
    /// - Parameter budget: that of each token before the first response; nil if it is unknown.
    public convenience init(budget: RateBudget? = nil) {
      self.init(budget: budget, time: SystemTime())
    }

    package init(budget: RateBudget?, time: any TimeSource) {
      initial = budget
      self.time = time
    }

    public func reserve(_ request: RateRequest, within limit: Duration?) async -> RateReservation {
      change(request.scope) {
        $0.reserve(request.cost, id: request.id, within: limit, now: time.now.uptime)
      }
    }

    public func pause(for request: RateRequest) async -> Duration {
      change(request.scope) { $0.pause(now: time.now.uptime) }
    }

    public func settle(_ request: RateRequest, _ report: RateReport) async {
      change(request.scope) {
        $0.settle(request.cost, report, id: request.id, now: time.now.uptime)
      }
    }

    private func change<Result>(_ scope: String, _ body: (inout Bucket) -> Result) -> Result {
      budgets.withLock { budgets in
        var bucket = budgets.use(scope) ?? Bucket(initial, now: time.now.uptime)
        let result = body(&bucket)
        _ = budgets.insert(bucket, for: scope, size: 1)
        return result
      }
    }
  }
}
