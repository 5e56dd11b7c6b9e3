import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphValkey

/// The master is killed while everything is in use.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(3))) struct FailoverTests {
  private let any: @Sendable (Graph.CachedResponse) -> Bool = { _ in true }
  private static let timeout = Duration.milliseconds(100)
  /// A command is not later than this. The machine may be busy.
  private static let latest = Duration.seconds(1)

  /// The findings of the tasks of a test.
  private struct Log: Sendable {
    var slowest = Duration.zero
    var wrongValues = 0
    /// Calls that the server has carried out, by name.
    var successes: [String: Int] = [:]
    var isOver = false
  }

  /// Repeats an operation of the server until the test is over, whether it succeeds or not.
  private func use(
    _ log: Locked<Log>, _ name: String, roundTrips: Int,
    _ operation: @escaping @Sendable () async throws -> Void
  ) async {
    let clock = ContinuousClock()
    while !log.withLock({ $0.isOver }) {
      let start = clock.now
      let isDone = (try? await operation()) != nil
      let time = (clock.now - start) / roundTrips
      log.withLock { log in
        log.slowest = max(log.slowest, time)
        if isDone { log.successes[name, default: 0] += 1 }
      }
      // The breaker refuses commands without a wait.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  private func readAndWrite(_ log: Locked<Log>, _ storage: any Graph.ResponseStorage) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let key = key("k\(number)")
          await use(log, "write", roundTrips: 2) {
            try await storage.store(
              response("\(number) \(UInt64.random(in: 0 ... .max))"), for: key)
          }
        }
        group.addTask {
          let (key, beginning) = (key("k\(number)"), Array("\(number) ".utf8))
          await use(log, "read", roundTrips: 2) {
            guard let found = try await storage.response(for: key) else { return }
            if !found.bytes.starts(with: beginning) { log.withLock { $0.wrongValues += 1 } }
          }
        }
      }
    }
  }

  private func lease(_ log: Locked<Log>, _ storage: Graph.ValkeyStorage) async {
    await use(log, "lease", roundTrips: 5) {
      let outcome = try await storage.lease(
        for: key("l\(UInt64.random(in: 0 ... .max))"), within: Self.timeout, unless: any)
      if case .granted(let lease) = outcome { await lease.end(letsOthersAsk: false) }
    }
  }

  /// A limiter never fails, since a process has a budget of its own.
  private func limit(_ log: Locked<Log>, _ valkey: Graph.Valkey) async {
    let limiter = Graph.ValkeyRateLimiter(
      valkey,
      budget: Graph.RateBudget(capacity: 1e9, available: 1e9, refill: .perSecond(1000)))
    await use(log, "limit", roundTrips: 6) {
      let request = Graph.RateRequest(scope: "scope", operationName: nil, cost: 1)
      guard case .granted(after: .zero) = await limiter.reserve(request, within: nil) else {
        return log.withLock { $0.wrongValues += 1 }
      }
      await limiter.settle(request, Graph.RateReport(cost: 1))
    }
  }

  @Test func everythingContinuesAfterTheMasterWasKilled() async throws {
    let group = try await ValkeyGroup(replicas: 2)
    let valkey = try group.client { $0.timeout = Self.timeout }
    let storage = Graph.ValkeyStorage(valkey)
    try await until("connected") { await valkey.port() == group.ports[0] }
    let coherent = Graph.CoherentStorage(
      Graph.ValkeyStorage(try group.client { $0.timeout = Self.timeout }))
    try await until("changes arrive") { coherent.isCoherent }
    let log = Locked(Log())
    let tasks = [
      Task { await readAndWrite(log, storage) }, Task { await readAndWrite(log, coherent) },
      Task { await lease(log, storage) }, Task { await limit(log, valkey) },
    ]
    try await until("all are in use") {
      log.withLock { log in
        ["write", "read", "lease", "limit"].allSatisfy { log.successes[$0, default: 0] > 20 }
      }
    }
    group.servers[0].kill9()
    try await until("the new master is found", within: .seconds(60)) {
      await valkey.port().map { $0 != group.ports[0] } == true
    }
    log.withLock { $0.successes = [:] }
    try await until("all are in use again") {
      log.withLock { log in
        ["write", "read", "lease", "limit"].allSatisfy { log.successes[$0, default: 0] > 20 }
      }
    }
    try await until("changes arrive again") { coherent.isCoherent }
    log.withLock { $0.isOver = true }
    for task in tasks { await task.value }
    let (slowest, wrongValues) = log.withLock { ($0.slowest, $0.wrongValues) }
    #expect(wrongValues == 0)
    #expect(slowest < Self.latest)

    // Changes of another process are followed on the new master.
    let other = Graph.ValkeyStorage(try group.client())
    try await until("it is stored") {
      (try? await other.store(response("new"), for: key("k0"))) != nil
    }
    try await until("it has arrived") {
      (try? await coherent.response(for: key("k0")))?.bytes == Array("new".utf8)
    }
    try await other.removeAll()
    try await until("it is removed") {
      do { return try await coherent.response(for: key("k0")) == nil } catch { return false }
    }
    let master = try #require(await valkey.port())
    #expect(try await group.masters() == [master])
  }

  /// An administrator moves the master: the old one lives on as a replica.
  @Test func aPlannedFailoverIsFollowed() async throws {
    let group = try await ValkeyGroup(replicas: 1, sentinels: 1)
    let valkey = try group.client()
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    try await until("changes arrive") { storage.isCoherent }
    try await until("it is stored") {
      (try? await storage.store(response("1"), for: key("a"))) != nil
    }
    #expect(await valkey.port() == group.ports[0])
    let sentinel = try group.sentinels[0].client()
    // It refuses while it has not heard of the replica's state.
    try await until("it begins") {
      (try? await sentinel.run("SENTINEL", "FAILOVER", "shop")) != nil
    }
    try await until("the new master is found", within: .seconds(60)) {
      await valkey.port() == group.ports[1]
    }
    try await until("changes arrive again") { storage.isCoherent }
    try await until("the old one is a replica") {
      try await group.masters() == [group.ports[1]]
    }
    try await until("both processes agree") {
      let other = Graph.ValkeyStorage(try group.client())
      guard (try? await other.store(response("2"), for: key("a"))) != nil else { return false }
      return (try? await storage.response(for: key("a")))?.bytes == [50]
    }
  }

  /// Requests of a client are sent in any case, and none is later than its deadline.
  @Test func noQueryFailsDuringAFailover() async throws {
    let group = try await ValkeyGroup(replicas: 1)
    let valkey = try group.client { $0.timeout = .milliseconds(5) }
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.ValkeyStorage(valkey)
    configuration.rateLimiter = Graph.ValkeyRateLimiter(valkey)
    configuration.timeout = .seconds(5)
    let endpoint = try #require(URL(string: "https://shop.example/graphql"))
    try await until("connected") { (try? await valkey.ping()) != nil }
    let isOver = Locked(false)
    let queries = (0..<4).map { number in
      Task { [configuration] in
        var count = 0
        while !isOver.withLock({ $0 }) {
          // Each user asks twice, so that there are responses to request and to read.
          let client = Graph.Client(
            endpoint: endpoint, headers: ["Authorization": "Bearer \(number) \(count / 2)"],
            transport: Hats(), cachePolicy: .cacheFirst, configuration: configuration)
          let response = try await client.query(Storefront.buildQuery { $0.shop { $0.name() } })
          #expect(response.data?.shop.name == "Hats")
          count += 1
        }
        return count
      }
    }
    group.servers[0].kill9()
    try await until("the new master is found", within: .seconds(60)) {
      await valkey.port().map { $0 == group.ports[1] } == true
    }
    isOver.withLock { $0 = true }
    for query in queries { #expect(try await query.value > 0) }
  }
}

private struct Hats: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    Graph.HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], url: request.url,
      body: Graph.HTTPResponse.Body(Array(#"{"data":{"shop":{"name":"Hats"}}}"#.utf8)))
  }
}
