import Foundation
import GraphClient
import Testing

@testable import GraphValkey

/// A real cluster of three masters, each with a third of the slots.
struct ServerCluster {
  struct Node {
    let server: ValkeyServer
    let port: Int
    let busPort: Int
    let arguments: [String]
    let id: String
    /// A connection to this node only.
    let client: Graph.Valkey
  }

  /// The masters in the order of their slots, then a replica of each.
  let nodes: [Node]

  init(replicas: Bool = false) async throws {
    var nodes: [Node] = []
    var busPorts: [Int] = []
    for index in 0..<(replicas ? 6 : 3) {
      let (port, busPort) = (try freePort(), try freePort())
      let arguments = [
        "--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--port", "\(port)",
        "--cluster-port", "\(busPort)", "--repl-diskless-sync-delay", "0",
        "--cluster-migration-barrier", "100",
      ]
      let server = try await ValkeyServer(arguments)
      let client = try server.client { $0.checksHistory = false }
      // Two nodes with the same epoch must agree on another one, which takes time.
      try await client.run("CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
      let id = try #require(try await client.run("CLUSTER", "MYID").text)
      nodes.append(
        Node(
          server: server, port: port, busPort: busPort, arguments: arguments, id: id, client: client
        ))
      busPorts.append(busPort)
    }
    for index in 0..<3 {
      let (first, last) = ((16_384 * index + 2) / 3, (16_384 * (index + 1) + 2) / 3 - 1)
      try await nodes[index].client.run("CLUSTER", "ADDSLOTSRANGE", "\(first)", "\(last)")
    }
    for index in nodes.indices.dropFirst() {
      try await nodes[0].client.run(
        "CLUSTER", "MEET", "127.0.0.1", "\(nodes[index].port)", "\(busPorts[index])")
    }
    self.nodes = nodes
    try await untilAllKnow(nodes.count)
    for index in nodes.indices.dropFirst(3) {
      try await nodes[index].client.run("CLUSTER", "REPLICATE", nodes[index - 3].id)
    }
    for node in nodes.dropFirst(3) {
      try await until("the replica is up to date") {
        try await node.client.run("INFO", "replication").text?.contains("master_link_status:up")
          == true
      }
    }
    for node in nodes where replicas {
      try await until("the node knows the replicas") {
        // One of them is the node itself, as “myself,slave”.
        try await node.client.run("CLUSTER", "NODES").text?
          .components(separatedBy: "slave ").count == 4
      }
    }
  }

  private func untilAllKnow(_ count: Int) async throws {
    for node in nodes {
      try await until("the node knows all") {
        let info = try await node.client.run("CLUSTER", "INFO").text ?? ""
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:\(count)")
      }
    }
  }

  /// A client with time for a busy machine.
  func client(
    shards: Int = 3, nodes numbers: [Int] = [0, 1, 2],
    _ change: (inout Graph.ValkeyConfiguration) -> Void = { _ in }
  ) throws -> Graph.Valkey {
    var configuration = Graph.ValkeyConfiguration(
      .cluster(nodes: numbers.map { .host("127.0.0.1", port: nodes[$0].port) }, shards: shards),
      namespace: "test")
    configuration.timeout = .seconds(5)
    configuration.backoff = Graph.Backoff(base: .milliseconds(50), maximum: .milliseconds(500))
    change(&configuration)
    return try Graph.Valkey(configuration)
  }

  /// The names of the keys of a node.
  func keys(_ index: Int) async throws -> [String] {
    try await nodes[index].client.run("KEYS", "*").array?.compactMap(\.text) ?? []
  }

  // MARK: Moving a slot

  func beginMove(of slot: Int, from source: Int, to target: Int) async throws {
    let (from, to) = (nodes[source], nodes[target])
    try await to.client.run("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", from.id)
    try await from.client.run("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", to.id)
  }

  func move(_ key: String, from source: Int, to target: Int) async throws {
    try await nodes[source].client.run(
      "MIGRATE", "127.0.0.1", "\(nodes[target].port)", key, "0", "5000")
  }

  func endMove(of slot: Int, from source: Int, to target: Int) async throws {
    for key in try await keys(source) where HashSlot.of(ofKey: key) == slot {
      try await move(key, from: source, to: target)
    }
    for index in [target, source] {
      try await nodes[index].client.run(
        "CLUSTER", "SETSLOT", "\(slot)", "NODE", nodes[target].id)
    }
  }
}

extension HashSlot {
  /// The slot of a key of ours, which has a text in braces at its beginning.
  static func of(ofKey key: String) -> Int {
    of(key.dropFirst().prefix { $0 != "}" }.utf8)
  }
}
