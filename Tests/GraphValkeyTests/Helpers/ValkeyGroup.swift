import Foundation
import GraphClient
import Testing

@testable import GraphValkey

/// A master with replicas, and the sentinels that monitor them.
struct ValkeyGroup {
  let ports: [Int]
  /// The first is the master at the beginning.
  let servers: [ValkeyServer]
  let sentinels: [ValkeySentinel]

  /// Everything is ready for a failover afterwards.
  init(replicas: Int = 1, sentinels count: Int = 3) async throws {
    var ports: [Int] = []
    var servers: [ValkeyServer] = []
    for index in 0...replicas {
      ports.append(try freePort())
      let source = index == 0 ? [] : ["--replicaof", "127.0.0.1", "\(ports[0])"]
      servers.append(
        try await ValkeyServer(
          ["--port", "\(ports[index])", "--repl-diskless-sync-delay", "0"] + source))
    }
    var sentinels: [ValkeySentinel] = []
    for _ in 0..<count {
      sentinels.append(try await ValkeySentinel(master: ports[0], quorum: count / 2 + 1))
    }
    (self.ports, self.servers, self.sentinels) = (ports, servers, sentinels)
    for sentinel in sentinels {
      let valkey = try sentinel.client()
      try await until("the sentinel knows all") {
        let known = try await valkey.run("SENTINEL", "REPLICAS", "shop").array?.count
        let others = try await valkey.run("SENTINEL", "SENTINELS", "shop").array?.count
        return known == replicas && others == count - 1
      }
    }
    let master = try servers[0].client()
    try await until("the replicas are up to date") {
      let text = try await master.run("INFO", "replication").text ?? ""
      return text.split(separator: "\r\n").count { $0.contains("state=online") } == replicas
    }
  }

  func client(
    _ change: (inout Graph.ValkeyConfiguration) -> Void = { _ in }
  ) throws -> Graph.Valkey {
    try Self.client(sentinels.map(\.address), change)
  }

  /// A client with time for a busy machine.
  static func client(
    _ sentinels: [Graph.ValkeyConfiguration.Address], master: String = "shop",
    _ change: (inout Graph.ValkeyConfiguration) -> Void = { _ in }
  ) throws -> Graph.Valkey {
    var configuration = Graph.ValkeyConfiguration(
      .sentinel(master: master, sentinels: sentinels), namespace: "test")
    configuration.timeout = .seconds(5)
    configuration.backoff = Graph.Backoff(base: .milliseconds(50), maximum: .milliseconds(500))
    change(&configuration)
    return try Graph.Valkey(configuration)
  }

  /// The ports of the servers that are masters.
  func masters() async throws -> [Int] {
    var masters: [Int] = []
    for (port, server) in zip(ports, servers) {
      guard let valkey = try? server.client({ $0.timeout = .seconds(1) }) else { continue }
      if (try? await valkey.run("HELLO", "2").role) == "master" { masters.append(port) }
    }
    return masters
  }
}

extension Graph.Valkey {
  /// The port of the server of its connections; nil without one.
  func port() async -> Int? {
    guard let text = try? await run("CONFIG", "GET", "port").array?.last?.text else { return nil }
    return Int(text)
  }
}
