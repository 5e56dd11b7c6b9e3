import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Delays requests so that the server does not have to refuse them.
  ///
  /// Services such as Shopify's and GitHub's give each token a budget of points. A client with a limiter
  /// (``ClientConfiguration/rateLimiter``) reserves the estimated cost of each request, waits until the budget has it,
  /// and passes on what the response tells about the budget. ``BudgetLimiter`` does that for the clients of a process.
  public protocol RateLimiter: Sendable {
    /// Reserves the cost of a request. It must return soon, also if the limit is long: the caller waits, and not the
    /// limiter.
    ///
    /// - Parameter limit: the longest wait; nil for any.
    func reserve(_ request: RateRequest, within limit: Duration?) async -> RateReservation
    /// The rest of a pause that the server has requested while the request waited. It is asked when the wait is over, and
    /// the caller waits for it once more. The default is none.
    func pause(for request: RateRequest) async -> Duration
    /// Ends a reservation that was granted.
    ///
    /// - Parameter report: what the response tells.
    func settle(_ request: RateRequest, _ report: RateReport) async
  }

  /// A request whose cost is reserved.
  public struct RateRequest: Sendable, Hashable {
    /// A digest of the endpoint and the header fields that identify the user, which share a budget.
    public let scope: String
    /// The operation's name; nil if it has none.
    public let operationName: String?
    /// The estimated cost, in points; zero if the server has told that for the operation.
    public let cost: Double
    /// Random, so that a limiter that processes share can tell their requests apart.
    public let id: UInt64

    /// A request.
    public init(
      scope: String, operationName: String?, cost: Double, id: UInt64 = .random(in: 0 ... .max)
    ) {
      self.id = id
      self.scope = scope
      self.operationName = operationName
      self.cost = cost
    }
  }

  /// The result of reserving the cost of a request.
  public enum RateReservation: Sendable, Hashable {
    /// The request may be sent after the wait. The points are taken from the budget already.
    case granted(after: Duration)
    /// The wait is longer than allowed. Nothing is reserved.
    case refused(after: Duration)
  }

  /// The outcome of a request whose cost was reserved.
  public struct RateReport: Sendable, Hashable {
    /// The points that the request cost: zero if it was not sent, nil if that is unknown.
    public var cost: Double?
    /// The state of the budget, as the server tells it; nil if it does not.
    public var budget: RateBudget?
    /// The pause that the server requests; nil if it does not.
    public var pause: Duration?

    /// A report.
    public init(cost: Double? = nil, budget: RateBudget? = nil, pause: Duration? = nil) {
      self.cost = cost
      self.budget = budget
      self.pause = pause
    }
  }

  /// The budget of a token at some point in time.
  public struct RateBudget: Sendable, Hashable {
    /// How points come back.
    public enum Refill: Sendable, Hashable {
      /// Continuously, this many in a second: a leaky bucket.
      case perSecond(Double)
      /// All at once, at the end of a window that ends after this time.
      case after(Duration)
    }

    /// The points of a full budget.
    public var capacity: Double
    /// The points that are left.
    public var available: Double
    /// How points come back.
    public var refill: Refill

    /// A budget.
    public init(capacity: Double, available: Double, refill: Refill) {
      self.capacity = capacity
      self.available = available
      self.refill = refill
    }
  }
}

extension Graph.RateLimiter {
  public func pause(for request: Graph.RateRequest) async -> Duration { .zero }
}

extension Graph.RateReport {
  /// The report of a response: Shopify's `extensions.cost`, GitHub's `X-RateLimit` fields, and `Retry-After`.
  ///
  /// - Parameter maximumPause: a longer pause is not adopted: the failure is reported at once, and so are later ones.
  init(
    _ result: Result<Graph.OperationResponse, Graph.QueryError>, maximumPause: Duration,
    now: Graph.Timestamp
  ) {
    self.init()
    switch result {
    case .success(let response):
      read(response.extensions?["cost"], isRefused: response.data == nil)
      read(response.headers, now)
    case .failure(let error):
      // A request that was not sent costs nothing.
      if error.transportError?.bytesSent == false { cost = 0 }
      if let response = error.response { read(response.headers, now) }
    }
    pause = Self.pause(after: result, now: now).flatMap { $0 <= maximumPause ? $0 : nil }
  }

  private static func pause(
    after result: Result<Graph.OperationResponse, Graph.QueryError>, now: Graph.Timestamp
  ) -> Duration? {
    if case .after(let delay) = Graph.RetryDecision(result, now: now) { return delay }
    // GitHub's secondary limits. The request is not retried, since the status has other meanings as well.
    switch result {
    case .success(let response) where response.status == 403:
      return Graph.RetryAfter.delay(response.headers, now: now)
    case .failure(let error) where error.response?.status == 403:
      return error.response.flatMap { Graph.RetryAfter.delay($0.headers, now: now) }
    default: return nil
    }
  }

  private mutating func read(_ cost: JSON?, isRefused: Bool) {
    guard let cost else { return }
    // A request that was refused has no actual cost.
    self.cost =
      cost["actualQueryCost"]?.points
      ?? (isRefused && cost["requestedQueryCost"] != nil ? 0 : nil)
    let status = cost["throttleStatus"]
    guard let capacity = status?["maximumAvailable"]?.points, capacity > 0,
      let available = status?["currentlyAvailable"]?.points,
      let rate = status?["restoreRate"]?.points, rate > 0
    else { return }
    budget =
      Graph.RateBudget(capacity: capacity, available: available, refill: .perSecond(rate)).plausible
  }

  private mutating func read(_ headers: Graph.Headers, _ now: Graph.Timestamp) {
    guard budget == nil, let capacity = headers.points("X-RateLimit-Limit"), capacity > 0,
      let available = headers.points("X-RateLimit-Remaining"),
      let reset = headers.points("X-RateLimit-Reset"), reset < 1e11
    else { return }
    // The end of the window by the server's clock, which may differ from that of this machine.
    let sent = headers["Date"].flatMap { Graph.HTTPDate.secondsSince1970($0.trimmed) }
    let remaining = Duration.seconds(reset) - (sent.map { .seconds($0) } ?? now.wall)
    budget =
      Graph.RateBudget(
        capacity: capacity, available: available, refill: .after(max(remaining, .zero))
      ).plausible
  }
}

extension JSON {
  fileprivate var points: Double? {
    guard case .number(let number) = self, let value = number.double, value.isFinite,
      abs(value) < 1e12
    else { return nil }
    return value
  }
}

extension Graph.Headers {
  fileprivate func points(_ name: String) -> Double? {
    guard let value = self[name]?.trimmed, let number = UInt64(value), number < 1_000_000_000_000
    else { return nil }
    return Double(number)
  }
}
