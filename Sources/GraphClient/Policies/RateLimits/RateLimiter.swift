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
