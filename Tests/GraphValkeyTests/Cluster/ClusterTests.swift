import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .serialized, .timeLimit(.minutes(3))) struct ClusterTests {
  private let any: @Sendable (Graph.CachedResponse) -> Bool = { _ in true }

  /// Stores 60 responses of two scopes.
  private func fill(_ storage: any Graph.ResponseStorage) async throws {
    for number in 0..<60 {
      try await storage.store(
        response("\(number)"), for: key("k\(number)", scope: number % 2 == 0 ? "even" : "odd"))
    }
  }

  /// The numbers of the responses that count.
  private func found(_ storage: any Graph.ResponseStorage) async throws -> [Int] {
    var found: [Int] = []
    for number in 0..<60 {
      let key = key("k\(number)", scope: number % 2 == 0 ? "even" : "odd")
      guard let response = try await storage.response(for: key) else { continue }
      #expect(response.bytes == Array("\(number)".utf8))
      found.append(number)
    }
    return found
  }

  @Test func responsesAreOnAllMastersAndAreRemovedFromAll() async throws {
    let cluster = try await ServerCluster()
    var options = Graph.ValkeyStorage.Options()
    options.tags = { $0.bytes.count == 1 ? ["short"] : [] }
    let storage = Graph.ValkeyStorage(try cluster.client(), options: options)
    try await fill(storage)
    #expect(try await found(storage) == Array(0..<60))
    for index in 0..<3 {
      #expect(try await cluster.keys(index).count { $0.contains(":r:") } > 5)
    }
    let other = Graph.ValkeyStorage(try cluster.client(nodes: [1]), options: options)
    try await other.removeAll(withTag: "short")
    #expect(try await found(storage) == Array(10..<60))
    try await other.removeAll(ofScope: "even")
    #expect(try await found(storage) == (10..<60).filter { $0 % 2 == 1 })
    try await other.remove(key("k11", scope: "odd"))
    #expect(try await found(storage) == (12..<60).filter { $0 % 2 == 1 })
    try await other.removeAll()
    #expect(try await found(storage) == [])
  }

  /// One shard is on one master, wherever the client begins.
  @Test(arguments: [0, 1, 2]) func oneShardIsFoundByEachNode(node: Int) async throws {
    let cluster = try await ServerCluster()
    let valkey = try cluster.client(shards: 1, nodes: [node])
    let storage = Graph.ValkeyStorage(valkey)
    try await fill(storage)
    #expect(try await found(storage) == Array(0..<60))
    var masters = 0
    for index in 0..<3 where try await !cluster.keys(index).isEmpty { masters += 1 }
    #expect(masters == 1)
  }

  @Test func leasesAndLimitsAreSharedOnAllMasters() async throws {
    let cluster = try await ServerCluster()
    let (one, two) = (try cluster.client(), try cluster.client())
    let (holder, waiter) = (Graph.ValkeyStorage(one), Graph.ValkeyStorage(two))
    for number in 0..<12 {
      let key = key("l\(number)")
      guard case .granted(let lease) = try await holder.lease(for: key, within: nil, unless: any)
      else {
        Issue.record("the lease is free")
        continue
      }
      async let outcome = waiter.lease(for: key, within: nil, unless: any)
      try await until("the other one waits") {
        let shard = one.shards.shard(of: key)
        let value = try await shard.send(
          ValkeyCommands("PUBSUB", "NUMSUB", shard.keys.channel(key)))
        return value[0].array?.last?.integer == 1
      }
      try await lease.store(response("\(number)"))
      guard case .stored(let response) = try await outcome else {
        Issue.record("the response is stored")
        continue
      }
      #expect(response.bytes == Array("\(number)".utf8))
    }

    let budget = Graph.RateBudget(capacity: 1000, available: 1000, refill: .after(.seconds(3600)))
    let limiters = [one, two].map { Graph.ValkeyRateLimiter($0, budget: budget) }
    for scope in 0..<6 {
      for number in 0..<10 {
        let request = Graph.RateRequest(scope: "token \(scope)", operationName: nil, cost: 100)
        let outcome = await limiters[number % 2].reserve(request, within: .seconds(1))
        guard case .granted(after: .zero) = outcome else {
          Issue.record("ten requests have points: \(outcome)")
          continue
        }
      }
      let request = Graph.RateRequest(scope: "token \(scope)", operationName: nil, cost: 100)
      guard case .refused = await limiters[scope % 2].reserve(request, within: .seconds(1)) else {
        Issue.record("all points are reserved")
        continue
      }
    }
  }

  @Test func changesOnAllMastersArriveInMemory() async throws {
    let cluster = try await ServerCluster()
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(try cluster.client()))
    let other = Graph.ValkeyStorage(try cluster.client())
    try await until("changes arrive") { storage.isCoherent }
    try await fill(other)
    #expect(try await found(storage) == Array(0..<60))
    for number in 0..<60 {
      let key = key("k\(number)", scope: number % 2 == 0 ? "even" : "odd")
      try await other.store(response("new"), for: key)
      try await until("it has arrived") {
        try await storage.response(for: key)?.bytes == Array("new".utf8)
      }
    }
    try await other.removeAll(ofScope: "odd")
    try await until("the removal has arrived") {
      for number in 0..<60 {
        let key = key("k\(number)", scope: number % 2 == 0 ? "even" : "odd")
        guard try await (storage.response(for: key) == nil) == (number % 2 == 1) else {
          return false
        }
      }
      return true
    }
  }

  /// The connection for changes lives, but nothing shows that its server still has the keys.
  @Test func memoryIsNotUsedIfTheServerRefusesItsKeys() async throws {
    let cluster = try await ServerCluster()
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(try cluster.client()))
    try await until("changes arrive") { storage.isCoherent }
    try await storage.store(response("1"), for: key("a"))
    let node = cluster.nodes[0].client
    try await node.run("ACL", "SETUSER", "default", "-get")
    try await until("the memory of one shard is not used") { !storage.isCoherent }
    try await node.run("ACL", "SETUSER", "default", "+get")
    try await until("changes arrive again") { storage.isCoherent }
    #expect(try await storage.response(for: key("a"))?.bytes == [49])
  }

  @Test func settingsThatAClusterLacksAreRefused() async throws {
    let nodes = [Graph.ValkeyConfiguration.Address.host("127.0.0.1", port: 1)]
    for namespace in ["a{b", "a}b"] {
      let error = #expect(throws: Graph.ValkeyError.self) {
        try Graph.Valkey(.init(.cluster(nodes: nodes), namespace: namespace))
      }
      #expect(error?.code == .invalidConfiguration)
    }
    let noNodes = #expect(throws: Graph.ValkeyError.self) {
      try Graph.Valkey(.init(.cluster(nodes: []), namespace: "test"))
    }
    #expect(noNodes?.code == .invalidConfiguration)
    var configuration = Graph.ValkeyConfiguration(.cluster(nodes: nodes), namespace: "test")
    configuration.database = 1
    let error = #expect(throws: Graph.ValkeyError.self) { try Graph.Valkey(configuration) }
    #expect(error?.code == .invalidConfiguration)

    // The error states that a single server has no slots.
    let server = try await ValkeyServer()
    configuration.database = 0
    configuration.topology = .cluster(nodes: [.socket(server.socket)])
    configuration.timeout = .seconds(5)
    let valkey = try Graph.Valkey(configuration)
    await #expect(throws: Graph.ValkeyError.self) { try await valkey.ping() }
    do throws(Graph.ValkeyError) {
      try await valkey.ping()
    } catch {
      #expect(error.code == .unavailable && error.message.contains("refused"))
    }
  }
}
