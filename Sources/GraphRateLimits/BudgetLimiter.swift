import GraphClient
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

extension Graph {
  /// The budget of a token, and what is reserved of it. It can be overdrawn: a request that has to wait takes its points
  /// at once, and each later one waits for its own and for those before it.
  struct Bucket: Sendable, Hashable {
    /// nil until it is known.
    private var budget: RateBudget?
    /// The uptime for which the points are counted.
    private var countedAt: Duration
    /// Reserved by requests that have not ended.
    private var reserved = 0.0
    /// The points of all requests that have ended.
    private var spent = 0.0
    /// ``spent`` when each request that has not ended was reserved.
    private var spentBefore: [UInt64: Double] = [:]
    /// The uptime until which the server has requested a pause.
    private var pauseEnd = Duration.zero

    /// The length of a window whose end has passed; the next response has the exact one.
    private static let window = Duration.seconds(3600)

    init(_ budget: RateBudget?, now: Duration) {
      self.budget = budget?.checked
      countedAt = now
    }

    mutating func reserve(
      _ cost: Double, id: UInt64? = nil, within limit: Duration?, now: Duration
    ) -> RateReservation {
      refill(now)
      let cost = cost.checkedCost
      let wait = max(wait(for: cost), pause(now: now))
      if let limit, wait > limit { return .refused(after: wait) }
      budget?.available -= cost
      reserved += cost
      if let id { spentBefore[id] = spent }
      return .granted(after: wait)
    }

    /// The rest of the pause.
    func pause(now: Duration) -> Duration { max(pauseEnd - now, .zero) }

    mutating func settle(
      _ cost: Double, _ report: RateReport, id: UInt64? = nil, now: Duration
    ) {
      refill(now)
      let cost = cost.checkedCost
      reserved = max(reserved - cost, 0)
      let actual = report.cost?.checkedCost ?? cost
      if let budget {
        self.budget?.available = min(budget.available + cost - actual, budget.capacity)
      }
      let before = id.flatMap { spentBefore.removeValue(forKey: $0) }
      if let told = report.budget?.checked { adopt(told, spentSince: before.map { spent - $0 }) }
      spent += actual
      if let pause = report.pause { pauseEnd = max(pauseEnd, now + pause) }
    }

    /// The points of a response lie between two bounds: less what is reserved, if the server has counted none of those
    /// requests; and less also what was spent since the request was reserved, if it has not counted that either.
    ///
    /// - Parameter spentSince: nil if it is unknown.
    private mutating func adopt(_ told: RateBudget, spentSince: Double?) {
      var adopted = told
      adopted.available -= reserved
      if let budget, budget.capacity == told.capacity, !Self.isLater(told.refill, budget.refill) {
        let lowest = spentSince.map { adopted.available - $0 } ?? budget.available
        adopted.available = min(adopted.available, max(budget.available, lowest))
      }
      budget = adopted
    }

    /// Whether a window ends after another, so that it is a later one. The server states the end in whole seconds.
    private static func isLater(_ told: RateBudget.Refill, _ known: RateBudget.Refill) -> Bool {
      guard case .after(let end) = told, case .after(let knownEnd) = known else { return false }
      return end > knownEnd + .seconds(2)
    }

    private mutating func refill(_ now: Duration) {
      guard var budget else {
        countedAt = now
        return
      }
      let passed = max(now - countedAt, .zero)
      countedAt = now
      switch budget.refill {
      case .perSecond(let rate):
        budget.available = min(budget.available + rate * passed.inSeconds, budget.capacity)
      case .after(let remaining):
        var remaining = remaining - passed
        while remaining <= .zero {
          budget.available = min(budget.available + budget.capacity, budget.capacity)
          remaining += Self.window
        }
        budget.refill = .after(remaining)
      }
      self.budget = budget
    }

    /// The time until the budget has the points. A request that costs more than a full budget waits for a full one: the
    /// server refuses it, or counts less than was estimated.
    private func wait(for cost: Double) -> Duration {
      guard let budget else { return .zero }
      let missing = min(cost, budget.capacity) - budget.available
      guard missing > 0 else { return .zero }
      switch budget.refill {
      case .perSecond(let rate):
        return rate > 0 ? .seconds(min(missing / rate, 1e9)) : .seconds(1e9)
      case .after(let remaining):
        let windows = max((missing / max(budget.capacity, 1)).rounded(.up) - 1, 0)
        return remaining + Self.window * Int(min(windows, 1e6))
      }
    }
  }
}
