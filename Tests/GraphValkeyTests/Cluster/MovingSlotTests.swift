import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// An administrator moves the slot of a shard to another master.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(3))) struct MovingSlotTests {
  /// A cluster with the slot that moves in each test: that of the first shard.
  private struct Setup {
    let cluster: ServerCluster
    let valkey: Graph.Valkey
    let storage: Graph.ValkeyStorage
    let slot: Int
    let keys: ValkeyKeys

    init() async throws {
      cluster = try await ServerCluster()
      valkey = try cluster.client()
      storage = Graph.ValkeyStorage(valkey)
      keys = valkey.shards.all[0].keys
      slot = keys.slot
    }

    /// A response of the first shard.
    func key(_ name: String) -> Graph.CacheKey {
      var number = 0
      while true {
        let key = GraphValkeyTests.key("\(name)\(number)")
        if valkey.shards.shard(of: key).keys.prefix == keys.prefix { return key }
        number += 1
      }
    }
  }

  /// At each point of the move, a removal counts.
  @Test(arguments: ["none", "generations", "response", "all"])
  func aRemovalDuringTheMoveCounts(moved: String) async throws {
    let setup = try await Setup()
    let (cluster, storage) = (setup.cluster, setup.storage)
    let (a, b, c) = (setup.key("a"), setup.key("b"), setup.key("c"))
    for key in [a, b, c] { try await storage.store(response("1"), for: key) }
    try await cluster.beginMove(of: setup.slot, from: 0, to: 1)
    let generations = [setup.keys.all, setup.keys.scope("scope")]
    let names: [String] =
      switch moved {
      case "generations": generations
      case "response": [setup.keys.response(a)]
      case "all": generations + [a, b, c].map { setup.keys.response($0) }
      default: []
      }
    for name in names { try await cluster.move(name, from: 0, to: 1) }

    try await storage.remove(a)
    try await cluster.endMove(of: setup.slot, from: 0, to: 1)
    let all = try await cluster.keys(1)
    #expect(!all.contains(setup.keys.response(a)))
    #expect(all.contains(setup.keys.response(b)) && all.contains(setup.keys.response(c)))
    // A server that gets the keys may lack changes, for all that processes know.
    try await until("new ones are stored") {
      (try? await storage.store(response("1"), for: b)) != nil
    }
    #expect(try await storage.response(for: b)?.bytes == [49])
    for key in [a, c] { #expect(try await storage.response(for: key) == nil) }

    // Back again, with the removal of a scope.
    try await storage.store(response("2"), for: a)
    let generation = try await cluster.nodes[1].client.run("GET", setup.keys.scope("scope"))
    #expect(generation.bytes != nil)
    try await cluster.beginMove(of: setup.slot, from: 1, to: 0)
    for name in names { try? await cluster.move(name, from: 1, to: 0) }
    try await storage.removeAll(ofScope: "scope")
    try await cluster.endMove(of: setup.slot, from: 1, to: 0)
    #expect(
      try await cluster.nodes[0].client.run("GET", setup.keys.scope("scope")) != generation)
    try await until("new ones are stored again") {
      (try? await storage.store(response("3"), for: setup.key("d"))) != nil
    }
    for key in [a, b, c] { #expect(try await storage.response(for: key) == nil) }
  }

  /// The first command after the move is a removal: the old master refuses it, and the new one carries it out.
  @Test func aRemovalAfterTheMoveCounts() async throws {
    let setup = try await Setup()
    let (cluster, storage, a) = (setup.cluster, setup.storage, setup.key("a"))
    try await storage.store(response("1"), for: a)
    try await cluster.beginMove(of: setup.slot, from: 0, to: 1)
    try await cluster.endMove(of: setup.slot, from: 0, to: 1)
    try await storage.removeAll()
    try await until("the new master is used") {
      (try? await storage.store(response("2"), for: setup.key("b"))) != nil
    }
    #expect(try await storage.response(for: a) == nil)
  }

  /// The old master keeps its connections, and reports no changes any more. A process that only reads its memory must
  /// notice.
  @Test func memoryFollowsTheMove() async throws {
    let setup = try await Setup()
    let (cluster, other, a) = (setup.cluster, setup.storage, setup.key("a"))
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(try cluster.client()))
    try await until("changes arrive") { storage.isCoherent }
    try await other.store(response("1"), for: a)
    #expect(try await storage.response(for: a)?.bytes == [49])
    try await cluster.beginMove(of: setup.slot, from: 0, to: 1)
    try await cluster.endMove(of: setup.slot, from: 0, to: 1)
    try await other.removeAll()
    try await until("the removal is noticed") {
      do { return try await storage.response(for: a) == nil } catch { return false }
    }
    try await until("changes arrive again") { storage.isCoherent }
    for number in 0..<10 {
      try await until("it is stored") {
        (try? await other.store(response("\(number)"), for: a)) != nil
      }
      try await until("it has arrived") {
        (try? await storage.response(for: a))?.bytes == Array("\(number)".utf8)
      }
    }
  }

  @Test func redirectionsAreRead() {
    let server = Graph.ValkeyConfiguration.Address.host("cache-1")
    for (text, address) in [
      ("ASK 3999 127.0.0.1:6381", .host("127.0.0.1", port: 6381)),
      ("ASK 3999 ::1:6381", .host("::1", port: 6381)),
      ("ASK 3999 :6381", .host("cache-1", port: 6381)),
      ("ASK 3999 ?:6381", .host("cache-1", port: 6381)),
      ("MOVED 3999 127.0.0.1:6381", nil),
    ] as [(String, Graph.ValkeyConfiguration.Address?)] {
      #expect(ValkeyValue.error(text).redirection(from: server) == address)
    }
    #expect(ValkeyValue.error("ASK 3999 :6381").redirection(from: nil) == nil)
    #expect(ValkeyValue.error("ASK 3999 :6381").isRedirection)
    #expect(!ValkeyValue.bytes(.init(text: "ASK 3999 127.0.0.1:6381")).isRedirection)
  }
}
