import Foundation
import GraphClient
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphValkey

/// Faults of the network between a process and a server that works, which others reach.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(3))) struct PartitionTests {
  private static let timeout = Duration.milliseconds(100)
  /// A command is not later than this. The machine may be busy.
  private static let latest = Duration.seconds(1)
  /// Small values do not notice the one that is left out.
  private static let faults = FaultyProxy.Fault.allCases.filter {
    ![.none, .trickles].contains($0)
  }
  private static let partitions: [FaultyProxy.Fault] = [.holdsAll, .holdsValues, .holdsCommands]
  private let any: @Sendable (Graph.CachedResponse) -> Bool = { _ in true }

  private struct Shop: Graph.Transport {
    let requests: Locked<Int>

    func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
      requests.withLock { $0 += 1 }
      return Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], url: request.url,
        body: Graph.HTTPResponse.Body(Array(#"{"data":{"shop":{"name":"Hats"}}}"#.utf8)))
    }
  }

  /// A server, a proxy before it, a client through the proxy, and one that the faults do not concern.
  private struct Network {
    let server: ValkeyServer
    let proxy: FaultyProxy
    let valkey: Graph.Valkey
    let coherent: Graph.CoherentStorage
    let other: Graph.ValkeyStorage
  }

  private func network() async throws -> Network {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let proxy = try FaultyProxy(to: port)
    var configuration = Graph.ValkeyConfiguration(
      .host("127.0.0.1", port: proxy.port), namespace: "test")
    configuration.timeout = Self.timeout
    configuration.connectTimeout = .milliseconds(500)
    configuration.backoff = Graph.Backoff(base: .milliseconds(50), maximum: .milliseconds(500))
    let valkey = try Graph.Valkey(configuration)
    let coherent = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    try await until("changes arrive") {
      _ = try? await valkey.ping()
      return coherent.isCoherent && valkey.isConnected
    }
    return Network(
      server: server, proxy: proxy, valkey: valkey, coherent: coherent,
      other: Graph.ValkeyStorage(try server.client()))
  }

  private func isInMemory(_ network: Network, _ key: Graph.CacheKey) async throws {
    try await until("it is in memory") {
      _ = try? await network.coherent.response(for: key)
      let before = try await network.other.valkey.lookupCount()
      guard (try? await network.coherent.response(for: key)) != nil else { return false }
      return try await network.other.valkey.lookupCount() == before
    }
  }

  @Test(arguments: faults)
  func everyCommandEndsInTimeAndQueriesAreSent(fault: FaultyProxy.Fault) async throws {
    let network = try await network()
    let requests = Locked(0)
    var configuration = Graph.ClientConfiguration()
    configuration.storage = network.coherent
    configuration.retryPolicy = .none
    let client = Graph.Client(
      endpoint: try #require(URL(string: "https://shop.example/graphql")),
      transport: Shop(requests: requests), cachePolicy: .cacheFirst, configuration: configuration)
    let limiter = Graph.ValkeyRateLimiter(
      network.valkey,
      budget: Graph.RateBudget(capacity: 1e6, available: 1e6, refill: .perSecond(1000)))
    network.proxy.set(fault)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(3)
    var (slowest, number) = (Duration.zero, 0)
    repeat {
      number += 1
      let name = "\(number)"
      slowest = max(
        slowest,
        await clock.measure { _ = try? await network.coherent.response(for: key(name)) },
        await clock.measure { try? await network.coherent.store(response("1"), for: key(name)) },
        await clock.measure { try? await network.coherent.remove(key(name)) })
      let request = Graph.RateRequest(scope: "scope", operationName: nil, cost: 1)
      slowest = max(
        slowest,
        await clock.measure {
          let reservation = await limiter.reserve(request, within: nil)
          #expect(reservation == .granted(after: .zero))
        }, await clock.measure { await limiter.settle(request, Graph.RateReport(cost: 1)) })
      let query = Storefront.buildQuery { $0.shop { $0.name() } }
      let sent = requests.withLock { $0 }
      let time = await clock.measure { _ = try? await client.query(query) }
      #expect(requests.withLock { $0 } == sent + 1 && time < Self.latest * 5)
    } while clock.now < end
    #expect(slowest < Self.latest, "\(number) rounds")
    network.proxy.set(.none)
    try await until("commands succeed again") {
      (try? await network.coherent.store(response("2"), for: key("after"))) != nil
        && network.coherent.isCoherent
    }
    #expect(try await network.other.response(for: key("after"))?.bytes == [50])
  }

  /// Others remove a response during the fault. From the time at which changes must arrive again, no process sees it.
  @Test(arguments: faults)
  func removedResponsesAreNotSeenAfterwards(fault: FaultyProxy.Fault) async throws {
    let network = try await network()
    let (coherent, other) = (network.coherent, network.other)
    let keys = ["all", "scope", "one", "new"].map { key($0, scope: $0) }
    for key in keys {
      try await other.store(response("old"), for: key)
      try await isInMemory(network, key)
    }
    network.proxy.set(fault)
    let start = ContinuousClock.now
    try await other.removeAll(ofScope: "scope")
    try await other.remove(keys[2])
    try await other.store(response("new"), for: keys[3])
    try await other.removeAll(ofScope: "all")
    let isSilent = Self.partitions.contains(fault)
    if isSilent || fault == .closes || fault == .resets {
      try await until("the memory is not used") { !coherent.isCoherent }
      let limit = isSilent ? Graph.CoherentStorage.maximumSilence * 2 : .zero
      #expect(.now - start < limit + .milliseconds(500))
      for key in keys { #expect((try? await coherent.response(for: key)) == nil) }
    }
    network.proxy.set(.none)
    // Bytes that arrive late, on an old connection, must not count.
    try await until("changes arrive") {
      (try? await network.valkey.ping()) != nil && coherent.isCoherent
    }
    if fault == .delays {
      // The memory may lack a response: a message about its storing can arrive after it was read.
      try await until("the changes have arrived") {
        for key in keys[..<3] {
          guard try await coherent.response(for: key) == nil else { return false }
        }
        return try await coherent.response(for: keys[3])?.bytes == response("new").bytes
      }
    }
    for _ in 0..<200 {
      for key in keys[..<3] {
        let found = try? await coherent.response(for: key)
        #expect(found == nil)
      }
      if let found = try? await coherent.response(for: keys[3]) {
        #expect(found.bytes == response("new").bytes)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The memory is used for at most two seconds of a partition, whenever it begins.
  @Test func theMemoryIsLeftInTimeAlsoIfTheServerIsFarAway() async throws {
    let network = try await network()
    var longest = Duration.zero
    for offset in 0..<4 {
      try await until("changes arrive") { network.coherent.isCoherent }
      try await Task.sleep(for: .milliseconds(1000 + 250 * offset))
      network.proxy.set(.holdsValues)
      let start = ContinuousClock.now
      try await until("the memory is not used") { !network.coherent.isCoherent }
      longest = max(longest, .now - start)
      network.proxy.set(.none)
    }
    #expect(longest < Graph.CoherentStorage.maximumSilence * 2 + .milliseconds(300))
  }

  @Test(arguments: partitions)
  func leasesAreTakenOver(fault: FaultyProxy.Fault) async throws {
    let network = try await network()
    guard
      case .granted(let lease) = try await network.coherent.lease(
        for: key("a"), within: nil, unless: any)
    else {
      Issue.record("there is no lease")
      return
    }
    network.proxy.set(fault)
    let start = ContinuousClock.now
    guard
      case .granted(let second) = try await network.other.lease(
        for: key("a"), within: nil, unless: any)
    else {
      Issue.record("the lease was not taken over")
      return
    }
    #expect(.now - start < network.other.options.leaseTime + .seconds(2))
    // The first holder notices nothing, and is refused or late. Its response counts as that of any other request.
    try? await lease.store(response("1"))
    try await network.other.removeAll()
    network.proxy.set(.none)
    try await until("connected again") { (try? await network.valkey.ping()) != nil }
    // The late commands of the first holder do not end the lease of the second one, and store nothing.
    for _ in 0..<20 {
      #expect(try await network.other.response(for: key("a")) == nil)
      try await Task.sleep(for: .milliseconds(10))
    }
    let held = try await network.other.valkey.run("GET", network.other.keys.lease(key("a")))
    #expect(held != .null)
    await second.end(letsOthersAsk: false)
  }

  /// A value that arrives on an idle connection is not taken for that of the next command.
  @Test func aValueWithoutACommandClosesTheConnection() async throws {
    let network = try await network()
    let shard = network.valkey.shards.all[0]
    for number in 0..<20 {
      try await until("a command is carried out") { (try? await network.valkey.ping()) != nil }
      network.proxy.insert("+extra\r\n")
      // Longer than connections count as busy.
      let end = ValkeyClock.now + 2 * ReadingPolicy.handover
      while ValkeyClock.now < end {}
      try await until("a command is carried out") {
        guard let values = try? await shard.send(ValkeyCommands("ECHO", "\(number)")) else {
          return false
        }
        #expect(values[0].text == "\(number)")
        return true
      }
    }
  }

  /// A large value may take longer than the time in which a server must send something.
  @Test func aLargeValueMayArriveInPieces() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let proxy = try FaultyProxy(to: port)
    var configuration = Graph.ValkeyConfiguration(
      .host("127.0.0.1", port: proxy.port), namespace: "test")
    configuration.timeout = .milliseconds(400)
    let text = String(repeating: "0123456789", count: 25_000)
    _ = try await server.client().run("SET", "large", text)
    let valkey = try Graph.Valkey(configuration)
    try await until("there is a connection") { (try? await valkey.ping()) != nil }
    proxy.set(.trickles)
    let begin = ValkeyClock.now
    let values = try await valkey.shards.all[0].send(
      ValkeyCommands("GET", "large"), timeout: .seconds(60))
    #expect(values[0].text == text)
    #expect(ValkeyClock.now - begin > 2_000_000_000, "longer than the limit")
  }
}
