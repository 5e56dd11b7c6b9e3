import Foundation
import GraphJSON
import GraphQLRuntime
import GraphRateLimits
import TestSupport
import Testing

@testable import GraphClient

/// A client with a limiter, and servers that tell about their budgets.
struct RateLimiterTests {
  /// A server with a leaky bucket, as Shopify describes its own.
  private final class Server: Sendable {
    private let time: ManualTime
    private let state: Locked<(available: Double, at: Duration, throttled: Int)>
    private let cost: Double
    private let capacity = 100.0
    private let rate = 10.0

    init(_ time: ManualTime, cost: Double) {
      self.time = time
      self.cost = cost
      state = Locked((100, time.now.uptime, 0))
    }

    var throttledCount: Int { state.withLock { $0.throttled } }

    func response() -> Graph.HTTPResponse {
      let now = time.now.uptime
      let (available, isThrottled) = state.withLock { state -> (Double, Bool) in
        state.available = min(capacity, state.available + rate * (now - state.at).inSeconds)
        state.at = now
        guard state.available >= cost else {
          state.throttled += 1
          return (state.available, true)
        }
        state.available -= cost
        return (state.available, false)
      }
      let status = """
        "throttleStatus":{"maximumAvailable":\(capacity),"currentlyAvailable":\(available),"restoreRate":\(rate)}
        """
      return .json(
        isThrottled
          ? """
          {"errors":[{"message":"Throttled","extensions":{"code":"THROTTLED"}}],
          "extensions":{"cost":{"requestedQueryCost":\(cost),"actualQueryCost":null,\(status)}}}
          """
          : """
          {"data":{"shop":{"name":"Shoes"}},
          "extensions":{"cost":{"requestedQueryCost":\(cost),"actualQueryCost":\(cost),\(status)}}}
          """)
    }
  }

  private func client(
    _ transport: ScriptedTransport, _ time: ManualTime, limiter: (any Graph.RateLimiter)?,
    observer: RecordingObserver? = nil
  ) -> Graph.Client {
    .test(transport, time: time) {
      $0.rateLimiter = limiter
      if let observer { $0.observers = [observer] }
    }
  }

  @Test(arguments: [true, false])
  func aServerDoesNotHaveToRefuse(isLimited: Bool) async throws {
    let time = ManualTime(chance: 0)
    let server = Server(time, cost: 30)
    let transport = ScriptedTransport { _ in server.response() }
    let limiter = isLimited ? Graph.BudgetLimiter(budget: nil, time: time) : nil
    let observer = RecordingObserver()
    let client = client(transport, time, limiter: limiter, observer: observer)
    for _ in 0..<20 { _ = try await client.query(shopQuery()).requireData() }
    #expect((server.throttledCount == 0) == isLimited)
    #expect(observer.steps.contains("waited rateLimit") == isLimited)
  }

  @Test func aCallWhoseWaitIsTooLongFailsAtOnce() async throws {
    let time = ManualTime(chance: 0)
    let budget = Graph.RateBudget(capacity: 10, available: 0, refill: .perSecond(1))
    let transport = ScriptedTransport(.shop)
    let client = client(transport, time, limiter: Graph.BudgetLimiter(budget: budget, time: time))
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), timeout: .milliseconds(500))
    }
    #expect(error?.transportError?.code == .timedOut && error?.transportError?.bytesSent == false)
    #expect(transport.requests.isEmpty && time.sleeps.isEmpty)
    _ = try await client.query(shopQuery(), timeout: .seconds(5))
    #expect(time.sleeps == [.seconds(1)])
  }

  @Test(arguments: [false, true])
  func aCallThatIsCancelledDuringTheWaitSendsNothing(hasInterceptor: Bool) async throws {
    struct Passing: Graph.Interceptor {}
    let time = HeldTime()
    let budget = Graph.RateBudget(capacity: 10, available: 0, refill: .perSecond(1))
    let limiter = Graph.BudgetLimiter(budget: budget, time: time)
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(
      transport, interceptors: hasInterceptor ? [Passing()] : [], time: time
    ) { $0.rateLimiter = limiter }
    let task = Task { try await client.mutate(renameMutation()) }
    try await wait { time.sleeperCount == 1 }
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.isCancelled == true && error?.transportError?.bytesSent == false)
    #expect(transport.requests.isEmpty)
    // Its points are free again, when what the interceptor surrounds has ended as well.
    let request = Graph.RateRequest(
      scope: Graph.CacheKey.scope(endpoint: .endpoint, headers: [:]), operationName: nil, cost: 1)
    try await wait {
      let isFree = await limiter.reserve(request, within: nil) == .granted(after: .seconds(1))
      if !isFree { await limiter.settle(request, Graph.RateReport(cost: 0)) }
      return isFree
    }
  }

  @Test func aCallThatIsCancelledBeforeItsBatchIsSentGivesItsPointsBack() async throws {
    let time = HeldTime()
    let budget = Graph.RateBudget(capacity: 10, available: 10, refill: .perSecond(1))
    let limiter = Graph.BudgetLimiter(budget: budget, time: time)
    let client = Graph.Client.test(ScriptedTransport(.shop), time: time) {
      $0.rateLimiter = limiter
      $0.costRules.initialCost = 10
      $0.batching = Graph.BatchPolicy(window: .seconds(60))
    }
    let task = Task { try await client.query(shopQuery()) }
    try await time.sleeper(for: .seconds(60))
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.isCancelled == true)
    let request = Graph.RateRequest(
      scope: Graph.CacheKey.scope(endpoint: .endpoint, headers: [:]), operationName: nil, cost: 10)
    #expect(await limiter.reserve(request, within: nil) == .granted(after: .zero))
  }

  @Test func tokensHaveBudgetsOfTheirOwn() async throws {
    let time = ManualTime(chance: 0)
    let empty = Graph.RateBudget(capacity: 10, available: 1, refill: .perSecond(1))
    let limiter = Graph.BudgetLimiter(budget: empty, time: time)
    for token in ["a", "b", "c"] {
      let client = Graph.Client.test(
        ScriptedTransport(.shop), headers: ["Authorization": token], time: time
      ) { $0.rateLimiter = limiter }
      _ = try await client.query(shopQuery())
    }
    #expect(time.sleeps.isEmpty)
  }

  @Test func gitHubsFieldsAreRead() async throws {
    let response = try await response(
      .json(
        #"{"data":{"shop":{"name":"A"}}}"#,
        headers: [
          "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4990",
          "X-RateLimit-Reset": "784111977", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
        ]))
    let report = report(response)
    #expect(
      report.budget == .init(capacity: 5000, available: 4990, refill: .after(.seconds(200))))
    #expect(report.cost == nil && report.pause == nil)
  }

  @Test(arguments: [
    #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":"much"}}"#,
    #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":{"throttleStatus":{"maximumAvailable":0,"currentlyAvailable":1,"restoreRate":1}}}}"#,
    #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":{"throttleStatus":{"maximumAvailable":10,"currentlyAvailable":1,"restoreRate":-1}}}}"#,
    #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":{"throttleStatus":{"maximumAvailable":1e300,"currentlyAvailable":1,"restoreRate":1}}}}"#,
  ])
  func oddBudgetsAreIgnored(body: String) async throws {
    let response = try await response(
      .json(body, headers: ["X-RateLimit-Limit": "-1", "X-RateLimit-Remaining": "x"]))
    #expect(report(response).budget == nil)
  }

  @Test func costsAreLearned() async throws {
    var rules = Graph.CostRules.learned
    rules.initialCost = 3
    let costs = Graph.CostEstimates(rules: rules)
    let request = request()
    #expect(costs.estimate(request) == 3)
    costs.learn(
      request,
      from: try await response(
        .json(
          #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":{"requestedQueryCost":42}}}"#)))
    #expect(costs.estimate(request) == 42)
  }

  /// GitHub's secondary limits.
  @Test func aRefusalWithStatus403DelaysAll() async throws {
    let time = ManualTime(chance: 0)
    let transport = ScriptedTransport(
      .json("slow down", status: 403, type: "text/plain", headers: ["Retry-After": "60"]), .shop)
    let client = client(transport, time, limiter: Graph.BudgetLimiter(budget: nil, time: time))
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(error?.response?.status == 403 && time.sleeps.isEmpty)
    _ = try await client.query(shopQuery())
    #expect(time.sleeps == [.seconds(60)])
  }

  /// Calls that wait when the server requests a pause wait for its end as well.
  @Test func aPauseDelaysCallsThatWaitAlready() async throws {
    let time = HeldTime()
    let budget = Graph.RateBudget(capacity: 100, available: 0, refill: .perSecond(1))
    let limiter = Graph.BudgetLimiter(budget: budget, time: time)
    let transport = ScriptedTransport(
      .json("slow down", status: 403, type: "text/plain", headers: ["Retry-After": "60"]), .shop)
    let observer = RecordingObserver()
    let client = Graph.Client.test(transport, time: time) {
      $0.rateLimiter = limiter
      $0.sharesEqualQueries = false
      $0.observers = [observer]
    }
    let first = Task { try? await client.query(shopQuery()) }
    try await time.sleeper(for: .seconds(1))
    let second = Task { try await client.query(shopQuery()).requireData() }
    try await time.sleeper(for: .seconds(2))
    try await time.pass(.seconds(1))
    _ = await first.value
    // Each wait that ends advances the clock, so two of the 60 seconds pass with this one.
    try await time.pass(.seconds(2))
    try await time.sleeper(for: .seconds(58))
    #expect(transport.requests.count == 1)
    try await time.pass(.seconds(58))
    _ = try await second.value
    #expect(transport.requests.count == 2)
    #expect(observer.steps.count { $0 == "waited rateLimit" } == 2)
  }

  @Test func aPauseBeyondTheDeadlineEndsTheWait() async throws {
    let time = HeldTime()
    let budget = Graph.RateBudget(capacity: 100, available: 0, refill: .perSecond(1))
    let limiter = Graph.BudgetLimiter(budget: budget, time: time)
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, time: time) { $0.rateLimiter = limiter }
    let task = Task { try await client.query(shopQuery(), timeout: .seconds(600)) }
    try await time.sleeper(for: .seconds(1))
    let other = Graph.RateRequest(
      scope: Graph.CacheKey.scope(endpoint: .endpoint, headers: [:]), operationName: nil, cost: 0)
    _ = await limiter.reserve(other, within: nil)
    await limiter.settle(other, Graph.RateReport(pause: .seconds(3600)))
    try await time.pass(.seconds(1))
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.transportError?.code == .timedOut && error?.transportError?.bytesSent == false)
    #expect(transport.requests.isEmpty)
  }

  /// A wrong report must not delay all later requests for years: without a timeout, nothing would end the wait.
  @Test(arguments: [
    (503, ["Retry-After": "1000000000"], ""),
    (503, ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], ""),
    (
      200,
      [
        "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999",
      ], ""
    ),
    (200, [:], #""maximumAvailable":100,"currentlyAvailable":0,"restoreRate":1e-12"#),
    (200, [:], #""maximumAvailable":100,"currentlyAvailable":-9e11,"restoreRate":100"#),
    (200, [:], #""maximumAvailable":1e-300,"currentlyAvailable":-1,"restoreRate":1e-300"#),
  ])
  func aWrongReportDoesNotDelayForever(
    status: Int, headers: [String: String], throttle: String
  ) async throws {
    let time = ManualTime(chance: 0)
    var fields: Graph.Headers = [:]
    for (name, value) in headers { fields[name] = value }
    let body =
      #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":{"throttleStatus":{\#(throttle)}}}}"#
    let transport = ScriptedTransport(
      .json(body, status: status, type: "application/json", headers: fields), .shop)
    let client = client(transport, time, limiter: Graph.BudgetLimiter(budget: nil, time: time))
    _ = try? await client.query(shopQuery())
    _ = try await client.query(shopQuery())
    #expect(time.sleeps.allSatisfy { $0 <= .seconds(2) })
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 1e300, .leastNonzeroMagnitude])
  func oddNumbersDoNotTrap(number: Double) async throws {
    let time = ManualTime(chance: 0)
    let budgets = [
      Graph.RateBudget(capacity: number, available: 1, refill: .perSecond(1)),
      Graph.RateBudget(capacity: 10, available: number, refill: .perSecond(1)),
      Graph.RateBudget(capacity: 10, available: 1, refill: .perSecond(number)),
      Graph.RateBudget(capacity: number, available: number, refill: .after(.seconds(1))),
      Graph.RateBudget(capacity: 10, available: 1, refill: .after(.seconds(-1e17))),
    ]
    for budget in budgets {
      let limiter = Graph.BudgetLimiter(budget: budget, time: time)
      for cost in [1, number, 100] {
        let request = Graph.RateRequest(scope: "", operationName: nil, cost: cost)
        _ = await limiter.reserve(request, within: nil)
        time.advance(by: .seconds(1))
        await limiter.settle(request, Graph.RateReport(cost: number, budget: budget))
      }
      let client = Graph.Client.test(ScriptedTransport(.shop), time: time) {
        $0.rateLimiter = Graph.BudgetLimiter(budget: nil, time: time)
        $0.costRules.initialCost = number
      }
      _ = try await client.query(shopQuery())
    }
  }

  /// The response of a request that was carried out has no cost: it is unknown, and not zero.
  @Test func aResponseWithoutAnActualCostGivesNothingBack() async throws {
    let body = #"{"data":{"shop":{"name":"A"}},"extensions":{"cost":{"requestedQueryCost":42}}}"#
    #expect(report(try await response(.json(body))).cost == nil)
    let refused =
      #"{"errors":[{"message":"Throttled","extensions":{"code":"THROTTLED"}}],"extensions":{"cost":{"requestedQueryCost":42,"actualQueryCost":null}}}"#
    #expect(report(try await response(.json(refused))).cost == 0)
  }

  @Test func tenThousandCallsWaitInOrder() async throws {
    let time = HeldTime()
    let budget = Graph.RateBudget(capacity: 10, available: 0, refill: .perSecond(10))
    let limiter = Graph.BudgetLimiter(budget: budget, time: time)
    let transport = ScriptedTransport(.shop)
    let clients = (0..<2).map { _ in
      Graph.Client.test(transport, time: time) {
        $0.rateLimiter = limiter
        $0.sharesEqualQueries = false
      }
    }
    let tasks = (0..<10_000).map { number in
      Task { try await clients[number % 2].query(shopQuery()) }
    }
    try await wait { time.sleeperCount == 10_000 }
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    #expect(transport.requests.isEmpty)
    let request = Graph.RateRequest(
      scope: Graph.CacheKey.scope(endpoint: .endpoint, headers: [:]), operationName: nil, cost: 10)
    #expect(await limiter.reserve(request, within: nil) == .granted(after: .seconds(1)))
  }

  private func report(_ response: Graph.OperationResponse) -> Graph.RateReport {
    Graph.RateReport(.success(response), maximumPause: .seconds(120), now: ManualTime().now)
  }

  private func request() -> Graph.OperationRequest {
    Graph.OperationRequest(
      GraphQL.Operation<GraphQL.AbstractResponse>(
        kind: .query, name: nil, document: "{shop{name}}", variables: Array("{}".utf8)))
  }

  private func response(_ http: Graph.HTTPResponse) async throws -> Graph.OperationResponse {
    try Graph.ResponseReader(request: request()).read(
      status: http.status, headers: http.headers, bytes: try await http.body.collect(upTo: 10_000))
  }
}
