import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// Masters of a cluster with replicas fail, or change their role.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(5))) struct ClusterFailoverTests {
  @Test func aReplicaReplacesAKilledMaster() async throws {
    let cluster = try await ServerCluster(replicas: true)
    // Only the master that is killed is in the configuration.
    let valkey = try cluster.client(nodes: [0]) { $0.timeout = .milliseconds(100) }
    let storage = Graph.ValkeyStorage(valkey)
    try await until("connected") { (try? await valkey.ping()) != nil }
    try await until("all are stored") {
      for number in 0..<30 {
        guard (try? await storage.store(response("\(number)"), for: key("k\(number)"))) != nil
        else { return false }
      }
      return true
    }
    let numbers = (0..<30).filter { number in
      valkey.shards.shard(of: key("k\(number)")).keys.slot >= HashSlot.count / 3
    }
    #expect(!numbers.isEmpty && numbers.count < 30)
    cluster.nodes[0].server.kill9()
    // The other masters continue. The cluster as a whole refuses everything for a moment, when it has noticed.
    var count = 0
    for number in numbers where (try? await storage.response(for: key("k\(number)"))) != nil {
      count += 1
    }
    #expect(count > 0)
    try await until("all parts work again", within: .seconds(60)) {
      for number in 0..<30 {
        guard (try? await storage.store(response("new"), for: key("k\(number)"))) != nil
        else { return false }
      }
      return true
    }
    for number in 0..<30 {
      #expect(try await storage.response(for: key("k\(number)"))?.bytes == Array("new".utf8))
    }
    #expect(valkey.isConnected)
  }

  /// The old master continues as a replica, and the memory above it follows.
  @Test func aPlannedFailoverIsFollowed() async throws {
    let cluster = try await ServerCluster(replicas: true)
    let valkey = try cluster.client()
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    let other = Graph.ValkeyStorage(try cluster.client())
    try await until("changes arrive") { storage.isCoherent }
    let keys = (0..<20).map { key("k\($0)") }
    for key in keys {
      try await other.store(response("1"), for: key)
      #expect(try await storage.response(for: key)?.bytes == [49])
    }
    let replica = cluster.nodes[3].client
    try await replica.run("CLUSTER", "FAILOVER")
    try await until("the replica is the master") {
      try await replica.run("ROLE").array?.first?.text == "master"
    }
    // The first command that the old master refuses is a removal.
    try await other.removeAll()
    try await until("the removal has arrived") {
      for key in keys {
        do {
          guard try await storage.response(for: key) == nil else { return false }
        } catch {
          return false
        }
      }
      return true
    }
    try await until("changes arrive again") { storage.isCoherent }
  }

  /// Without a replica, a part of the keys is lost: only these commands fail, and at once.
  @Test func queriesContinueWithoutAMaster() async throws {
    let cluster = try await ServerCluster()
    let valkey = try cluster.client { $0.timeout = .milliseconds(100) }
    let storage = Graph.ValkeyStorage(valkey)
    try await until("connected") { (try? await valkey.ping()) != nil }
    cluster.nodes[0].server.kill9()
    let clock = ContinuousClock()
    var slowest = Duration.zero
    func read(_ number: Int) async -> Bool {
      let start = clock.now
      defer { slowest = max(slowest, clock.now - start) }
      do {
        return try await storage.response(for: key("k\(number)")) == nil
      } catch {
        return false
      }
    }
    var count = 0
    for number in 0..<300 where await read(number) { count += 1 }
    // Until the cluster as a whole has noticed, and refuses everything.
    #expect(count > 0 && count < 300)
    #expect(slowest < .seconds(1))
    await #expect(throws: Graph.ValkeyError.self) { try await storage.removeAll() }
  }

  /// A server without a cluster has the address of a master that has failed. It would refuse nothing, and know of no
  /// removal.
  @Test func aServerThatIsNotOfTheClusterIsNotUsed() async throws {
    let cluster = try await ServerCluster(replicas: true)
    let valkey = try cluster.client()
    try await until("connected") { (try? await valkey.ping()) != nil }
    cluster.nodes[0].server.kill9()
    let foreign = try await ValkeyServer(["--port", "\(cluster.nodes[0].port)"])
    let storage = Graph.ValkeyStorage(valkey)
    try await until("all parts work", within: .seconds(60)) {
      for number in 0..<30 {
        guard (try? await storage.store(response("new"), for: key("k\(number)"))) != nil
        else { return false }
      }
      return true
    }
    #expect(try await foreign.client().run("DBSIZE") == .integer(0))
  }

  /// A connection that was idle while its server was a replica, and is the master again, may not find what was removed
  /// meanwhile.
  @Test func anIdleConnectionChecksAMasterThatHasReturned() async throws {
    let cluster = try await ServerCluster(replicas: true)
    let storage = Graph.ValkeyStorage(try cluster.client { $0.connections = 1 })
    let keys = (0..<20).map { key("k\($0)") }
    try await until("they are stored") {
      for key in keys {
        guard (try? await storage.store(response("old"), for: key)) != nil else { return false }
      }
      return true
    }
    let moved = keys.filter { storage.valkey.shards.shard(of: $0).keys.slot < HashSlot.count / 3 }
    #expect(!moved.isEmpty)
    for node in [cluster.nodes[3].client, cluster.nodes[0].client] {
      try await until("it is the master") {
        _ = try? await node.run("CLUSTER", "FAILOVER")
        return try await node.run("ROLE").array?.first?.text == "master"
      }
      // The next failover needs a replica that has noticed.
      try await until("the other one is its replica") {
        try await node.run("INFO", "replication").text?.contains("state=online") == true
      }
    }
    let start = ValkeyClock.now
    try await until("the connection counts as idle") { ValkeyClock.now - start > 1_100_000_000 }
    try await until("it is used again") {
      do {
        for key in moved { #expect(try await storage.response(for: key) == nil) }
        return true
      } catch {
        return false
      }
    }
  }
}
