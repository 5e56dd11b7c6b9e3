import CHiredis
import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(2))) struct ValkeyTests {
  @Test func carriesEveryKindOfValue() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    try await valkey.ping()
    #expect(try await valkey.run("SET", "a", "1\r\n\0") == .status("OK"))
    #expect(try await valkey.run("GET", "a") == .bytes(Array("1\r\n\0".utf8)))
    #expect(try await valkey.run("INCR", "n") == .integer(1))
    #expect(try await valkey.run("GET", "none") == .null)
    #expect(
      try await valkey.run("MGET", "a", "none")
        == .array([.bytes(Array("1\r\n\0".utf8)), .null]))
    let error = await #expect(throws: Graph.ValkeyError.self) { try await valkey.run("HGET", "a") }
    #expect(error?.code == .refused && error?.message.contains("ERR") == true)
  }

  @Test func manyCommandsShareTheConnections() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.connections = 2 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<2000 {
        group.addTask {
          let text = "\(number)" + String(repeating: "x", count: number)
          var commands = ValkeyCommands("SET", "k\(number)", text)
          commands.append("GET", "k\(number)")
          let values = try await valkey.send(commands)
          #expect(values == [.status("OK"), .bytes(Array(text.utf8))])
        }
      }
      try await group.waitForAll()
    }
    let clients = try #require(try await valkey.run("CLIENT", "LIST").text)
    #expect(clients.split(separator: "\n").count <= 2)
  }

  @Test func sendsLargeValues() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let text = String(repeating: "0123456789", count: 1_000_000)
    try await valkey.run("SET", "large", text, timeout: .seconds(30))
    #expect(try await valkey.run("GET", "large", timeout: .seconds(30)).text == text)
  }

  @Test func authenticatesUsers() async throws {
    let server = try await ValkeyServer(
      ["--user", "default", "off", "--user", "app", "on", ">secret", "~*", "&*", "+@all"])
    let valkey = try server.client {
      $0.credentials = .init(user: "app", password: "secret")
      $0.database = 3
    }
    try await valkey.run("SET", "a", "1")
    #expect(try await valkey.run("ACL", "WHOAMI").text == "app")
    #expect(try await valkey.run("CLIENT", "INFO").text?.contains(" db=3 ") == true)

    let wrong = try server.client { $0.credentials = .init(user: "app", password: "wrong") }
    await #expect(throws: Graph.ValkeyError.self) { try await wrong.ping() }
    let none = try server.client()
    await #expect(throws: Graph.ValkeyError.self) { try await none.ping() }
    let credentials = Graph.ValkeyConfiguration.Credentials(user: "app", password: "secret")
    #expect(
      !"\(credentials)".contains("secret") && !String(reflecting: credentials).contains("secret"))
  }

  @Test func scriptsAreLoadedAgainAfterTheServerHasLostThem() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let script = ValkeyScript("return {KEYS[1], ARGV[1]}")
    for _ in 0..<2 {
      #expect(
        try await valkey.shard.evaluate(script, keys: ["k"], [.init(text: "v")])
          == .array([.bytes([107]), .bytes([118])]))
      #expect(try await valkey.run("SCRIPT", "EXISTS", script.digest) == .array([.integer(1)]))
      try await valkey.run("SCRIPT", "FLUSH")
    }
  }

  @Test func stoppedServerCostsNoMoreThanTheTimeout() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.timeout = .milliseconds(20) }
    try await until("connected") { (try? await valkey.ping()) != nil }
    server.signal(SIGSTOP)
    var failures: [Graph.ValkeyError.Code: Int] = [:]
    var longest = Duration.zero
    for _ in 0..<200 {
      let clock = ContinuousClock()
      longest = max(
        longest,
        await clock.measure {
          if let code = await valkey.pingFailure() { failures[code, default: 0] += 1 }
        })
    }
    // Other tests run at the same time, so the thread can be late.
    #expect(longest < .seconds(2))
    #expect(failures.values.reduce(0, +) == 200)
    // After the first ones, the breaker is open.
    #expect(failures[.unavailable, default: 0] > 100)
    server.signal(SIGCONT)
    try await until("connected again") { (try? await valkey.ping()) != nil }
  }

  @Test func connectsAgainAfterAKill() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    try await valkey.ping()
    let folder = server.folder
    server.kill9()
    try await until("the loss is noticed") {
      await valkey.pingFailure() == .unavailable
    }
    let clock = ContinuousClock()
    let cost = await clock.measure {
      for _ in 0..<1000 {
        await #expect(throws: Graph.ValkeyError.self) { try await valkey.ping() }
      }
    }
    #expect(cost < .seconds(1))
    let second = try await ValkeyServer(in: folder)
    try await until("connected again") { (try? await valkey.ping()) != nil }
    withExtendedLifetime(second) {}
  }

  @Test func missingServerFailsAtOnce() async throws {
    let valkey = try Graph.Valkey(
      .init(.socket(URL(filePath: "/nonexistent/socket")), namespace: "test"))
    await #expect(throws: Graph.ValkeyError.self) { try await valkey.ping() }
    #expect(!valkey.isConnected)
  }

  @Test func cancelledTasksReturnAtOnce() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.timeout = .seconds(30) }
    try await valkey.ping()
    server.signal(SIGSTOP)
    let task = Task { await valkey.pingFailure() }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    #expect(await task.value == .cancelled)
    server.signal(SIGCONT)
    // The value of the cancelled command is not the next one's.
    #expect(try await valkey.run("ECHO", "a").text == "a")
  }

  @Test func missingLibrariesAreNotOpened() {
    #expect(HiredisLibrary(["libnone.so"]) == nil)
    // A library without the functions.
    #expect(HiredisLibrary(["libm.so.6"]) == nil)
  }

  @Test func connectionsEndWithTheirOwner() async throws {
    let server = try await ValkeyServer()
    let observer = try server.client { $0.connections = 1 }
    var valkey: Graph.Valkey? = try server.client()
    try await valkey?.ping()
    valkey = nil
    try await until("only the observer's connection is open") {
      try await observer.run("CLIENT", "LIST").text?.split(separator: "\n").count == 1
    }
  }
}
