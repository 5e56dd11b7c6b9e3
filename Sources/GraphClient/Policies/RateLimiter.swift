import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Delays requests so that the server does not have to refuse them.
  ///
  /// Services such as Shopify's and GitHub's give each token a budget of points. A client with a limiter
  /// (``ClientConfiguration/rateLimiter``) reserves the estimated cost of each request, waits until the budget has it,
  /// and passes on what the response tells about the budget. `BudgetLimiter` of the module GraphRateLimits does that
  /// for the clients of a process.
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

extension Graph.RateBudget {
  /// The longest time in which a budget of a service is expected to be full again.
  private static let longestRefill = Duration.seconds(86_400)

  /// The budget with which a limiter can count: at most full, and overdrawn by a full one at most. nil if its numbers
  /// are not finite, or it has no points.
  package var checked: Graph.RateBudget? {
    guard capacity > 0, capacity < 1e12, available.isFinite else { return nil }
    var budget = self
    budget.available = min(max(available, -capacity), capacity)
    switch refill {
    case .perSecond(let rate):
      guard rate >= 0, rate < 1e12 else { return nil }
    case .after(let remaining):
      budget.refill = .after(min(max(remaining, .zero), .seconds(1_000_000_000)))
    }
    return budget
  }

  /// nil for a budget that would delay requests for days: the report of the service is wrong, or has another meaning.
  var plausible: Graph.RateBudget? {
    switch refill {
    case .perSecond(let rate) where capacity > rate * Self.longestRefill.inSeconds: nil
    case .after(let remaining) where remaining > Self.longestRefill: nil
    default: checked
    }
  }
}

extension Double {
  /// The points of a request: not below zero, and finite.
  package var checkedCost: Double { isFinite ? Swift.min(Swift.max(self, 0), 1e12) : 0 }
}

extension Graph {
  /// The costs of operations, computed from their documents and learned from responses.
  ///
  /// An operation with the same variables is expected to cost what the server requested for it before. With other
  /// variables, it is expected to cost what the rules compute, corrected by the last response to the document; if they
  /// compute nothing, as much as the most costly one of its document.
  final class CostEstimates: Sendable {
    private struct State {
      var exact = LeastRecentlyUsed<Key, Double>(capacity: 4096)
      var documents = LeastRecentlyUsed<DocumentKey, Document>(capacity: 1024)
    }

    private struct DocumentKey: Hashable, Sendable {
      let text: ExactKey
      /// Two schemas may have documents with one text.
      let schema: ObjectIdentifier?

      init(_ request: OperationRequest) {
        text = ExactKey(request.document)
        schema = request.operation.schema.map(ObjectIdentifier.init)
      }
    }

    private struct Key: Hashable, Sendable {
      let document: DocumentKey
      let variables: [UInt8]
    }

    private struct Document {
      /// nil if the rules cannot be applied.
      let plan: (any CostPlan)?
      /// The cost that the server requested last, divided by the one that the plan computed.
      var correction = 1.0
      /// The highest cost that the server requested.
      var highest: Double?
    }

    /// A wrong report does not stop all requests, or none.
    private static let corrections = 0.01...100.0

    private let rules: CostRules
    private let state = Locked(State())

    init(rules: CostRules) { self.rules = rules }

    func estimate(_ request: OperationRequest) -> Double {
      let key = DocumentKey(request)
      let exact = Key(document: key, variables: request.variables)
      if let known = state.withLock({ $0.exact.use(exact) }) { return known }
      let document = document(request, key)
      guard let plan = document.plan else {
        return document.highest ?? rules.initialCost.checkedCost
      }
      return min(
        plan.cost(request.variables) * document.correction, max(rules.maximumCost, 0))
    }

    /// Learns the cost that the server requested before it executed the operation.
    func learn(_ request: OperationRequest, from response: OperationResponse) {
      guard let cost = requestedCost(response) else { return }
      let key = DocumentKey(request)
      var document = document(request, key)
      document.highest = max(document.highest ?? 0, cost)
      if let computed = document.plan?.cost(request.variables), computed > 0 {
        let ratio = cost / computed
        document.correction = min(
          max(ratio, Self.corrections.lowerBound), Self.corrections.upperBound)
      }
      state.withLock { [document] state in
        let exact = Key(document: key, variables: request.variables)
        _ = state.exact.insert(cost, for: exact, size: 1)
        _ = state.documents.insert(document, for: key, size: 1)
      }
    }

    /// The cost that the server computed: Shopify's and Saleor's `cost`, and Hot Chocolate's `operationCost`.
    private func requestedCost(_ response: OperationResponse) -> Double? {
      let ofRules = rules.model?.operationCost.flatMap {
        response.extensions?["operationCost"]?[$0]
      }
      guard
        case .number(let number)? = ofRules ?? response.extensions?["cost"]?["requestedQueryCost"],
        let cost = number.double, cost >= 0, cost < 1e12
      else { return nil }
      return cost
    }

    /// The knowledge about the document, whose plan is made for its first request.
    private func document(_ request: OperationRequest, _ key: DocumentKey) -> Document {
      if let known = state.withLock({ $0.documents.use(key) }) { return known }
      let plan = request.operation.schema.flatMap {
        rules.plan(for: request.document, in: $0)
      }
      let document = Document(plan: plan)
      return state.withLock { state in
        if let known = state.documents.use(key) { return known }
        _ = state.documents.insert(document, for: key, size: 1)
        return document
      }
    }
  }
}

extension Graph {
  /// How the cost of a request is estimated before it is sent.
  ///
  /// The module GraphRateLimits has the rules of Shopify, of GitHub, and of services with the directives `@cost` and
  /// `@listSize`. They are applied to documents of generated modules. The cost of another document is learned from
  /// responses, and so is that of one with more than 10,000 fields, or more than 100 levels.
  public struct CostRules: Sendable, Hashable {
    /// Computes costs; nil if they are only learned.
    package let model: (any CostModel)?
    /// The cost of a document to which the rules cannot be applied, and that was not sent before.
    public var initialCost = 1.0
    /// The length of a list whose length is not known from the document and the schema.
    public var listSize = 1.0
    /// The highest estimate. A service refuses a request that costs more than it allows, and other requests should not
    /// wait for its points. Set it to the limit of your service.
    public var maximumCost: Double

    package init(_ model: (any CostModel)?, maximumCost: Double) {
      self.model = model
      self.maximumCost = maximumCost
    }

    /// Costs are only learned from responses: a request is expected to cost what the server requested for the
    /// document before.
    public static let learned = CostRules(nil, maximumCost: 1e12)

    /// The plan for a document; nil if its costs are only learned.
    package func plan(for document: String, in schema: GraphQL.SchemaTable) -> (any CostPlan)? {
      model?.plan(for: document, in: schema, listSize: listSize)
    }

    public static func == (left: CostRules, right: CostRules) -> Bool {
      left.model?.name == right.model?.name && left.initialCost == right.initialCost
        && left.listSize == right.listSize && left.maximumCost == right.maximumCost
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(model?.name)
      hasher.combine(initialCost)
      hasher.combine(listSize)
      hasher.combine(maximumCost)
    }
  }

  /// How a kind of service counts the cost of a request.
  package protocol CostModel: Sendable {
    /// Distinguishes the model from others.
    var name: String { get }
    /// The member of `extensions.operationCost` with the cost of this model; nil if there is none.
    var operationCost: String? { get }
    /// The plan for a document; nil if its costs are only learned.
    ///
    /// - Parameter listSize: ``CostRules/listSize``.
    func plan(
      for document: String, in schema: GraphQL.SchemaTable, listSize: Double
    ) -> (any CostPlan)?
  }

  /// The cost of a document's requests, without the values of their variables.
  package protocol CostPlan: Sendable {
    /// The estimate for a request.
    ///
    /// - Parameter variables: the JSON object that is sent.
    func cost(_ variables: [UInt8]) -> Double
  }
}
