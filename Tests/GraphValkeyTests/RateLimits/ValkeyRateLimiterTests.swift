import Foundation
import GraphClient
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphValkey

/// Limiters with connections of their own, as in several processes. The rates are low, so that the time that the tests
/// take adds few points.
@Suite(.needsServer, .timeLimit(.minutes(2))) struct ValkeyRateLimiterTests {
  private let budget = Graph.RateBudget(capacity: 1000, available: 500, refill: .perSecond(1))

  private func limiter(
    _ server: ValkeyServer, _ budget: Graph.RateBudget? = nil
  ) async throws -> Graph.ValkeyRateLimiter {
    let valkey = try server.client()
    // Until then, it would use a budget of its own.
    try await until("connected") { (try? await valkey.ping()) != nil }
    return Graph.ValkeyRateLimiter(valkey, budget: budget)
  }

  private func request(_ cost: Double, scope: String = "scope") -> Graph.RateRequest {
    Graph.RateRequest(scope: scope, operationName: nil, cost: cost)
  }

  /// The seconds of the wait; nil if the reservation was refused.
  private func wait(
    _ limiter: any Graph.RateLimiter, _ request: Graph.RateRequest, within limit: Duration? = nil
  ) async -> Double? {
    guard case .granted(let wait) = await limiter.reserve(request, within: limit) else {
      return nil
    }
    return wait / .seconds(1)
  }

  private func expect(
    _ wait: Double?, _ seconds: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wait = try #require(wait, "refused", sourceLocation: sourceLocation)
    #expect(
      wait <= seconds + 0.01 && wait >= max(seconds - 20, 0), sourceLocation: sourceLocation)
  }

  @Test func processesGetPointsInTheOrderInWhichTheyAsk() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server, budget), try await limiter(server, budget))
    try expect(await wait(one, request(450)), 0)
    try expect(await wait(two, request(150)), 100)
    // A cheap one does not overtake it.
    try expect(await wait(one, request(1)), 101)
    try expect(await wait(two, request(99)), 200)
    // Another token has a budget of its own.
    try expect(await wait(one, request(500, scope: "other")), 0)
  }

  @Test func aWaitThatIsTooLongTakesNothing() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server, budget), try await limiter(server, budget))
    _ = await wait(one, request(500))
    #expect(await wait(two, request(100), within: .seconds(60)) == nil)
    try expect(await wait(two, request(100), within: .seconds(101)), 100)
  }

  @Test func theActualCostReplacesTheEstimateForAll() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server, budget), try await limiter(server, budget))
    let (costly, unsent) = (request(400), request(100))
    _ = await wait(one, costly)
    _ = await wait(one, unsent)
    try expect(await wait(two, request(100)), 100)
    await one.settle(costly, Graph.RateReport(cost: 100))
    await one.settle(unsent, Graph.RateReport(cost: 0))
    // 300 + 100 came back, of which the second process has 100.
    try expect(await wait(two, request(350)), 50)
  }

  @Test func oneProcessLearnsTheBudgetForAll() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server), try await limiter(server))
    let first = request(10)
    try expect(await wait(one, first), 0)
    try expect(await wait(two, request(200)), 0)
    let told = Graph.RateBudget(capacity: 1000, available: 250, refill: .perSecond(1))
    await one.settle(first, Graph.RateReport(cost: 10, budget: told))
    // The service may not have counted the second one yet.
    try expect(await wait(two, request(150)), 100)
  }

  /// A request that waits already learns of the pause when its wait is over, whichever process has to pause.
  @Test func aPauseIsSeenByAll() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server, budget), try await limiter(server, budget))
    let (waiting, refused) = (request(600), request(1))
    try expect(await wait(two, waiting), 100)
    #expect(await two.pause(for: waiting) == .zero)
    _ = await wait(one, refused)
    await one.settle(refused, Graph.RateReport(pause: .seconds(200)))
    for limiter in [one, two] {
      try expect(await limiter.pause(for: waiting) / .seconds(1), 200)
    }
    #expect(await two.pause(for: request(1, scope: "other")) == .zero)
    // Without the server, a process knows its own pauses.
    server.kill9()
    try expect(await one.pause(for: waiting) / .seconds(1), 200)
    #expect(await two.pause(for: waiting) == .zero)
  }

  /// A number that is not finite would stay on the server for a day.
  @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 1e300, .leastNonzeroMagnitude])
  func oddNumbersChangeNothing(number: Double) async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server, budget), try await limiter(server, budget))
    for told in [
      Graph.RateBudget(capacity: number, available: 1, refill: .perSecond(1)),
      Graph.RateBudget(capacity: 1000, available: 500, refill: .perSecond(.nan)),
      Graph.RateBudget(capacity: .nan, available: number, refill: .after(.seconds(-1e17))),
    ] {
      let odd = request(number, scope: "odd")
      _ = await wait(one, odd)
      await one.settle(odd, Graph.RateReport(cost: number, budget: told))
      let plain = request(1)
      _ = await wait(one, plain)
      await one.settle(plain, Graph.RateReport(cost: .nan))
    }
    _ = await two.reserve(request(1, scope: "odd"), within: .zero)
    try expect(await wait(two, request(600)), 101)
  }

  /// Opening its connection delays the first request by 0.9 seconds, in which the full bucket of the service gains nothing.
  @Test func aSlowRequestDoesNotExceedTheBucket() async throws {
    let server = try await ValkeyServer()
    let full = Graph.RateBudget(capacity: 1000, available: 1000, refill: .perSecond(100))
    let limiter = try await limiter(server, full)
    let start = ContinuousClock.now
    #expect(await wait(limiter, request(900)) == 0)
    let second = try #require(await wait(limiter, request(900)))
    // The bucket has been filling since the first one.
    let elapsed = (.now - start) / .seconds(1)
    #expect(100 + 100 * (elapsed + second - 0.9) >= 900)
  }

  @Test func aWindowIsFullAtItsEnd() async throws {
    let server = try await ValkeyServer()
    let window = Graph.RateBudget(capacity: 10, available: 2, refill: .after(.seconds(60)))
    let (one, two) = (try await limiter(server, window), try await limiter(server, window))
    try expect(await wait(one, request(2)), 0)
    try expect(await wait(two, request(1)), 60)
    try expect(await wait(one, request(10)), 3660)
    let short = Graph.RateBudget(capacity: 10, available: 0, refill: .after(.milliseconds(50)))
    let three = try await limiter(server, short)
    let scope = "short"
    #expect(try #require(await wait(three, request(4, scope: scope))) <= 0.05)
    try await until("the window has ended") {
      await wait(three, request(1, scope: scope), within: .zero) == 0
    }
    try expect(await wait(three, request(9, scope: scope)), 3600)
  }

  @Test func aPauseDelaysAllProcesses() async throws {
    let server = try await ValkeyServer()
    let (one, two) = (try await limiter(server), try await limiter(server))
    let refused = request(1)
    _ = await wait(one, refused)
    await one.settle(refused, Graph.RateReport(pause: .seconds(300)))
    let delayed = try #require(await wait(two, request(1)))
    #expect(delayed > 280 && delayed <= 300)
    #expect(await wait(two, request(1), within: .seconds(100)) == nil)
    #expect(await wait(two, request(1, scope: "other")) == 0)
  }

  /// A process was killed while its requests waited for a million points.
  @Test func reservationsOfAKilledProcessEnd() async throws {
    let server = try await ValkeyServer()
    let (dead, limiter) = (try await limiter(server, budget), try await limiter(server, budget))
    let valkey = try server.client()
    _ = await wait(dead, request(1_000_000))
    let told = Graph.RateBudget(capacity: 1000, available: 500, refill: .perSecond(1))
    let early = request(1)
    _ = await wait(limiter, early)
    await limiter.settle(early, Graph.RateReport(cost: 1, budget: told))
    // The process may be alive.
    #expect(await wait(limiter, request(1), within: .seconds(1000)) == nil)
    // As if two epochs had passed.
    try await valkey.run("HSET", "test:b:scope", "epoch", "0")
    let late = request(1)
    _ = await wait(limiter, late)
    await limiter.settle(late, Graph.RateReport(cost: 1, budget: told))
    try expect(await wait(limiter, request(400), within: .seconds(1)), 0)
  }

  /// An overtaken response does not give back what was spent since.
  @Test func anOvertakenResponseAddsNothing() async throws {
    let server = try await ValkeyServer()
    let limiter = try await limiter(server, budget)
    let (slow, fast) = (request(100), request(400))
    _ = await wait(limiter, slow)
    _ = await wait(limiter, fast)
    func told(_ available: Double) -> Graph.RateReport {
      Graph.RateReport(
        budget: .init(capacity: 1000, available: available, refill: .perSecond(1)))
    }
    await limiter.settle(fast, told(0))
    await limiter.settle(slow, told(400))
    try expect(await wait(limiter, request(100)), 100)
  }

  @Test func allKeysExpire() async throws {
    let server = try await ValkeyServer()
    let limiter = try await limiter(server, budget)
    let valkey = try server.client()
    let request = request(10)
    _ = await wait(limiter, request)
    let keys = try #require(try await valkey.run("KEYS", "*").array?.compactMap(\.text))
    #expect(keys.count == 2)
    for key in keys {
      let left = try #require(try await valkey.run("PTTL", key).integer)
      #expect(left > 60_000 && left <= 86_400_000)
    }
    await limiter.settle(request, Graph.RateReport(cost: 10))
    #expect(try await valkey.run("KEYS", "*") == .array([.bytes(Array("test:b:scope".utf8))]))
  }

  /// The points of a request that was sent while the server was away are counted afterwards.
  @Test func aRequestWithoutAReservationIsCounted() async throws {
    let server = try await ValkeyServer()
    let limiter = try await limiter(server, budget)
    _ = await wait(limiter, request(100))
    await limiter.settle(request(400), Graph.RateReport(cost: 300))
    try expect(await wait(limiter, request(200)), 100)
  }

  @Test func aCancelledTaskGivesItsPointsBack() async throws {
    let server = try await ValkeyServer()
    let limiter = try await limiter(server, budget)
    let request = request(500)
    _ = await wait(limiter, request)
    let task = Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      await limiter.settle(request, Graph.RateReport(cost: 0))
    }
    await task.value
    try expect(await wait(limiter, self.request(500)), 0)
  }

  /// The process continues with what it knows of the budget.
  @Test func withoutTheServerAProcessLimitsItself() async throws {
    var server: ValkeyServer? = try await ValkeyServer()
    let running = try #require(server)
    let folder = running.folder
    let valkey = try running.client()
    try await until("connected") { (try? await valkey.ping()) != nil }
    let limiter = Graph.ValkeyRateLimiter(valkey)
    let first = request(10)
    _ = await wait(limiter, first)
    let told = Graph.RateBudget(capacity: 1000, available: 300, refill: .perSecond(1))
    await limiter.settle(first, Graph.RateReport(cost: 10, budget: told))
    running.kill9()
    try await until("the loss is noticed") { await valkey.pingFailure() == .unavailable }
    try expect(await wait(limiter, request(300)), 0)
    #expect(await wait(limiter, request(100), within: .seconds(50)) == nil)
    let delayed = request(100)
    try expect(await wait(limiter, delayed), 100)
    // A restarted server knows nothing: the process still keeps to its own budget until the next response.
    let second = try await ValkeyServer(in: folder)
    try await until("connected again") { (try? await valkey.ping()) != nil }
    try expect(await wait(limiter, request(1)), 101)
    await limiter.settle(delayed, Graph.RateReport(cost: 100, budget: told))
    try expect(await wait(try await self.limiter(second), request(400)), 101)
    server = nil
  }

  @Test func aStoppedServerCostsNoMoreThanTheTimeout() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.timeout = .milliseconds(20) }
    let limiter = Graph.ValkeyRateLimiter(valkey, budget: budget)
    try await until("connected") { (try? await valkey.ping()) != nil }
    server.signal(SIGSTOP)
    let clock = ContinuousClock()
    let time = try await clock.measure {
      for _ in 0..<100 {
        let request = request(1)
        try expect(await wait(limiter, request), 0)
        await limiter.settle(request, Graph.RateReport(cost: 1))
      }
    }
    server.signal(SIGCONT)
    #expect(time < .seconds(5))
    // The server has carried out late reservations, and has settled them as well.
    try await until("connected again") { (try? await valkey.ping()) != nil }
    try expect(await wait(limiter, request(400)), 0)
  }

  /// A service with the same rules refuses nothing, whichever process asks, and each request is sent in the end.
  @Test(arguments: 0..<20)
  func aServiceRefusesNothing(seed: UInt64) async throws {
    let server = try await ValkeyServer()
    var random = SeededGenerator(seed: seed)
    let capacity = Double(Int.random(in: 50...2000, using: &random))
    let rate = Double(Int.random(in: 1...100, using: &random))
    let budget = Graph.RateBudget(capacity: capacity, available: capacity, refill: .perSecond(rate))
    var limiters: [Graph.ValkeyRateLimiter] = []
    for _ in 0..<4 { limiters.append(try await limiter(server, budget)) }
    let clock = ContinuousClock()
    let start = clock.now
    var slowest = Duration.zero
    var sent: [(at: Duration, cost: Double)] = []
    var reserved = 0.0
    for _ in 0..<60 {
      let limiter = try #require(limiters.randomElement(using: &random))
      let estimate = Double(Int.random(in: 1...Int(capacity), using: &random))
      let cost = (estimate * Double.random(in: 0.1...1, using: &random)).rounded(.up)
      let request = request(estimate)
      reserved += estimate
      let asked = clock.now
      let seconds = try #require(await wait(limiter, request))
      slowest = max(slowest, clock.now - asked)
      sent.append((clock.now - start + .seconds(seconds), cost))
      // Some responses arrive at once, the others never.
      if seconds == 0, Bool.random(using: &random) {
        await limiter.settle(request, Graph.RateReport(cost: cost))
      }
    }
    var available = capacity
    var last = Duration.zero
    for request in sent.sorted(by: { $0.at < $1.at }) {
      available = min(capacity, available + rate * ((request.at - last) / .seconds(1)))
      last = request.at
      // A request can be early by as long as the one before it took to learn its wait.
      #expect(available >= request.cost - rate * (slowest / .seconds(1)))
      available -= request.cost
    }
    // The last request waits only for the points of all.
    #expect(last <= .seconds(reserved / rate) + (clock.now - start))
  }
}
