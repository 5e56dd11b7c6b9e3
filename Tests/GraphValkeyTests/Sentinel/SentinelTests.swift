import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// How connections find the master, and which servers they refuse.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(2))) struct SentinelTests {
  private let any: @Sendable (Graph.CachedResponse) -> Bool = { _ in true }

  private func failure(_ valkey: Graph.Valkey) async -> Graph.ValkeyError? {
    do throws(Graph.ValkeyError) {
      try await valkey.ping()
      return nil
    } catch {
      return error
    }
  }

  @Test func connectsToTheMasterWithTheSettingsOfBoth() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(
      [
        "--port", "\(port)", "--user", "app", "on", ">secret", "~*", "&*", "+@all", "-@dangerous",
        "+info",
      ])
    let users = Graph.ValkeyConfiguration.Credentials(user: "asker", password: "password")
    let sentinel = try await ValkeySentinel(
      master: port,
      ["user default off", "user asker on >password ~* &* +@all"], credentials: users)
    var configuration = Graph.ValkeyConfiguration(
      .sentinel(master: "shop", sentinels: [sentinel.address], credentials: users),
      namespace: "test")
    configuration.timeout = .seconds(5)
    configuration.credentials = .init(user: "app", password: "secret")
    configuration.database = 2
    let valkey = try Graph.Valkey(configuration)
    try await until("connected") { await failure(valkey) == nil }
    #expect(try await valkey.run("ACL", "WHOAMI").text == "app")
    #expect(!"\(valkey) \(configuration.topology)".contains("password"))

    configuration.topology = .sentinel(master: "shop", sentinels: [sentinel.address])
    let refused = try Graph.Valkey(configuration)
    try await until("it is refused") { await failure(refused)?.message.contains("NOAUTH") == true }
    withExtendedLifetime(server) {}
  }

  @Test func aWrongNameIsReported() async throws {
    let server = try await ValkeyServer()
    let sentinel = try await ValkeySentinel(master: try freePort())
    let valkey = try ValkeyGroup.client([sentinel.address], master: "hats")
    #expect(await failure(valkey)?.message.contains("with the name hats") == true)
    // So it is while no command waits for a connection.
    let later = await failure(valkey)
    #expect(later?.code == .unavailable && later?.message.contains("with the name hats") == true)
    withExtendedLifetime(server) {}
  }

  @Test func noSentinelsAreReported() async throws {
    let none = #expect(throws: Graph.ValkeyError.self) { try ValkeyGroup.client([]) }
    #expect(none?.code == .invalidConfiguration)
    let dead = try ValkeyGroup.client([.host("127.0.0.1", port: try freePort())])
    #expect(await failure(dead)?.message.contains("none of the sentinels responds") == true)
  }

  /// A connection lasts without sentinels, and is found again when one of them is there again.
  @Test func deadSentinelsOnlyPreventNewConnections() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let sentinel = try await ValkeySentinel(master: port)
    let valkey = try ValkeyGroup.client([sentinel.address]) { $0.connections = 1 }
    try await until("connected") { await failure(valkey) == nil }
    sentinel.kill9()
    for _ in 0..<100 { #expect(await failure(valkey) == nil) }
    let observer = try server.client()
    try await observer.run("CLIENT", "KILL", "TYPE", "normal")
    try await until("the loss is noticed") {
      await failure(valkey)?.message.contains("none of the sentinels responds") == true
    }
    guard case .host(_, let sentinelPort) = sentinel.address else { return }
    let second = try await ValkeySentinel(master: port, port: sentinelPort)
    try await until("connected again") { await failure(valkey) == nil }
    withExtendedLifetime(second) {}
  }

  /// The others are asked within the time for a connection.
  @Test func aSilentSentinelIsPassed() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let silent = try await ValkeySentinel(master: port)
    let working = try await ValkeySentinel(master: port)
    silent.signal(SIGSTOP)
    let valkey = try ValkeyGroup.client([silent.address, working.address])
    try await until("connected") { await failure(valkey) == nil }
    silent.signal(SIGCONT)
    withExtendedLifetime(server) {}
  }

  /// The first sentinel cannot log in to the servers, so that it never learns of the failover.
  @Test func aSentinelThatReportsTheOldMasterIsPassed() async throws {
    let ports = [try freePort(), try freePort()]
    let password = ["--requirepass", "secret", "--masterauth", "secret"]
    let old = try await ValkeyServer(["--port", "\(ports[0])"] + password)
    let new = try await ValkeyServer(
      ["--port", "\(ports[1])", "--replicaof", "127.0.0.1", "\(ports[0])"] + password)
    let stale = try await ValkeySentinel(master: ports[0], quorum: 9)
    let informed = try await ValkeySentinel(
      master: ports[0], ["sentinel auth-pass shop secret"])
    let asked = try informed.client()
    try await until("the replica is known") {
      try await asked.run("SENTINEL", "REPLICAS", "shop").array?.count == 1
    }
    let sentinels = [stale.address, informed.address]
    let valkey = try ValkeyGroup.client(sentinels) { $0.credentials = .init(password: "secret") }
    try await until("connected") { await valkey.port() == ports[0] }
    let folder = old.folder
    old.kill9()
    try await until("the new master is found") { await valkey.port() == ports[1] }

    // The old master returns as a replica, and the first sentinel still reports it.
    let returned = try await ValkeyServer(
      in: folder,
      ["--port", "\(ports[0])", "--replicaof", "127.0.0.1", "\(ports[1])"] + password)
    let unaware = try stale.client()
    #expect(
      try await unaware.run("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "shop").array?.last?.text
        == "\(ports[0])")
    let second = try ValkeyGroup.client(sentinels) { $0.credentials = .init(password: "secret") }
    #expect(await failure(second)?.message.contains("the server is a replica") == true)
    try await until("the new master is found") { await second.port() == ports[1] }
    withExtendedLifetime((new, returned)) {}
  }

  /// Commands that read would still work.
  @Test func aServerThatBecomesAReplicaIsLeft() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let sentinel = try await ValkeySentinel(master: port, quorum: 9)
    let valkey = try ValkeyGroup.client([sentinel.address])
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    try await until("changes arrive") { storage.isCoherent }
    try await until("it is stored") {
      (try? await storage.store(response("1"), for: key("a"))) != nil
    }
    let observer = try server.client()
    try await observer.run("REPLICAOF", "127.0.0.1", "\(try freePort())")
    await #expect(throws: Graph.ValkeyError.self) {
      try await storage.store(response("2"), for: key("a"))
    }
    // All connections are closed, and none is opened again.
    try await until("changes do not arrive") { !storage.isCoherent && !valkey.isConnected }
    try await until("the cause is known") {
      await failure(valkey)?.message.contains("the server is a replica") == true
    }
    await #expect(throws: Graph.ValkeyError.self) { try await storage.response(for: key("a")) }
    try await observer.run("REPLICAOF", "NO", "ONE")
    try await until("it is used again") {
      (try? await storage.store(response("3"), for: key("a"))) != nil && storage.isCoherent
    }
    #expect(try await storage.response(for: key("a"))?.bytes == [51])
  }

  /// Otherwise, responses would be read from one server, and their changes would be reported by another.
  @Test func allConnectionsFollowTheFirstToANewMaster() async throws {
    let ports = [try freePort(), try freePort()]
    let old = try await ValkeyServer(["--port", "\(ports[0])"])
    let new = try await ValkeyServer(["--port", "\(ports[1])"])
    let sentinel = try await ValkeySentinel(master: ports[0], quorum: 9)
    let valkey = try ValkeyGroup.client([sentinel.address]) { $0.connections = 1 }
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    try await until("changes arrive") { storage.isCoherent }
    try await until("connected") { await valkey.port() == ports[0] }
    let asked = try sentinel.client()
    try await asked.run("SENTINEL", "REMOVE", "shop")
    try await asked.run("SENTINEL", "MONITOR", "shop", "127.0.0.1", "\(ports[1])", "9")
    let observer = try old.client { $0.connections = 1 }
    // The old master still works. The connection for commands breaks, and the one for changes does not.
    let killed = try await observer.run("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    #expect(killed.integer ?? 0 >= 1)
    try await until("all are on the new master") {
      let text = try await observer.run("CLIENT", "LIST").text ?? ""
      return text.split(separator: "\n").count == 1
    }
    try await until("the new master is used") { await valkey.port() == ports[1] }
    try await until("changes arrive again") { storage.isCoherent }
    let other = Graph.ValkeyStorage(try new.client())
    for number in 0..<10 {
      try await other.store(response("\(number)"), for: key("a"))
      try await until("it has arrived") {
        (try? await storage.response(for: key("a")))?.bytes == Array("\(number)".utf8)
      }
    }
  }

  @Test func rolesAndRefusalsAreRead() {
    let hello = ValkeyValue.array(
      ["server", "redis", "role", "replica"].map { .bytes(.init(text: $0)) })
    #expect(hello.role == "replica" && ValkeyValue.array([.bytes(.init(text: "role"))]).role == nil)
    #expect(throws: Graph.ValkeyError.self) { try ValkeyHandshake.check([.status("OK"), hello]) }
    let refusals = [
      "READONLY You can't write against a read only replica.",
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      "ERR Error running script: @user_script: 1: -READONLY You can't write",
    ]
    for refusal in refusals { #expect(ValkeyValue.error(refusal).isRefusalOfMaster) }
    #expect(!ValkeyValue.error("WRONGTYPE READONLY").isRefusalOfMaster)
    #expect(!ValkeyValue.bytes(.init(text: refusals[0])).isRefusalOfMaster)
  }
}
