import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// Tasks read the values of their calls themselves. Each gets its own values or an error, whatever happens to the
/// connection, and nothing is left behind.
@Suite(.needsServer, .serialized, .timeLimit(.minutes(5))) struct ReadingTests {
  /// The number of clients that the server has; the one that asks is one of them.
  private static func clients(_ admin: Graph.Valkey) async throws -> Int? {
    let text = try await admin.run("INFO", "clients").text ?? ""
    let line = text.split(separator: "\r\n").first { $0.hasPrefix("connected_clients:") }
    return line.flatMap { Int($0.split(separator: ":")[1]) }
  }

  /// The random program of one task: texts of all sizes, tiny limits, cancellations.
  private static func work(_ valkey: Graph.Valkey, _ number: Int, _ rounds: Int) async -> [String] {
    var failures: [String] = []
    for round in 0..<rounds {
      let size =
        Int.random(in: 0..<400) == 0
        ? Int.random(in: 1_000_000..<4_000_000) : Int.random(in: 0..<100)
      let text = "\(number) \(round) " + String(repeating: "x", count: size)
      let timeout: Duration =
        switch Int.random(in: 0..<6) {
        case 0: .microseconds(Int.random(in: 0..<2000))
        case 1: .milliseconds(Int.random(in: 0..<20))
        default: .seconds(20)
        }
      let call = Task { () -> String? in
        var commands = ValkeyCommands()
        for index in 0..<3 { commands.append("ECHO", "\(index) \(text)") }
        guard let values = try? await valkey.send(commands, timeout: timeout) else { return nil }
        let expected = (0..<3).map { "\($0) \(text)" }
        return values.map(\.text) == expected
          ? nil : "\(values.map { $0.text?.prefix(20) }) for \(text.prefix(20))"
      }
      switch Int.random(in: 0..<6) {
      case 0: call.cancel()
      case 1:
        await Task.yield()
        call.cancel()
      default: break
      }
      if let failure = await call.value { failures.append(failure) }
    }
    return failures
  }

  @Test(arguments: [1, 2]) func eachTaskGetsItsOwnValues(connections: Int) async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client { $0.connections = connections }
    let failures = await withTaskGroup(of: [String].self) { group in
      for number in 0..<1000 {
        group.addTask { await Self.work(valkey, number, 10) }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(failures.prefix(5).joined(separator: "\n") == "")
    try await until("nothing is in progress") {
      _ = try? await valkey.ping()
      return valkey.isConnected
    }
  }

  @Test func hugeValuesAmongSmallOnes() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client {
      $0.connections = 1; $0.timeout = .seconds(60)
    }
    let huge = String(repeating: "y", count: 50_000_000)
    try await valkey.run("SET", "huge", huge)
    let failures = await withTaskGroup(of: String?.self) { group in
      for number in 0..<3 {
        group.addTask {
          (try? await valkey.run("GET", "huge"))?.bytes?.count == 50_000_000
            ? nil : "huge \(number)"
        }
      }
      for number in 0..<200 {
        group.addTask {
          (try? await valkey.run("ECHO", "\(number)"))?.text == "\(number)" ? nil : "\(number)"
        }
      }
      return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
    }
    #expect(failures == [])
  }

  /// Connections are closed by many threads while tasks read.
  @Test func connectionsAreClosedWhileTasksRead() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client {
      $0.backoff = Graph.Backoff(base: .milliseconds(1), maximum: .milliseconds(5))
    }
    let admin = try server.client { $0.connections = 1 }
    let isOver = Locked(false)
    let links = valkey.shard.links
    for number in 0..<3 {
      Thread {
        while !isOver.withLock({ $0 }) {
          for link in links {
            if number == 0 { _ = link.serve(at: ValkeyClock.now) }
            link.close(.lost, isSuspect: false, at: ValkeyClock.now)
          }
          usleep(UInt32.random(in: 0..<3000))
        }
      }.start()
    }
    let failures = await withTaskGroup(of: [String].self) { group in
      for number in 0..<200 { group.addTask { await Self.work(valkey, number, 30) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    isOver.withLock { $0 = true }
    #expect(failures.prefix(5).joined(separator: "\n") == "")
    try await until("it works again") { (try? await valkey.ping()) != nil }
    try await until("only the last connections are open") {
      try await Self.clients(admin) == 3
    }
  }

  /// Clients are released while their calls are in progress.
  @Test func releasedClientsLeaveNothing() async throws {
    let server = try await ValkeyServer()
    let admin = try server.client { $0.connections = 1 }
    for _ in 0..<40 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          var valkey: Graph.Valkey? = try? server.client { $0.timeout = .milliseconds(200) }
          if let valkey {
            let coherent = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
            group.addTask { _ = try? await coherent.response(for: key("a")) }
            group.addTask {
              _ = try? await coherent.lease(for: key("a"), within: .milliseconds(20)) { _ in true }
            }
            group.addTask { try? await coherent.removeAll() }
          }
          valkey = nil
        }
        if Bool.random() { group.cancelAll() }
        await group.waitForAll()
      }
    }
    try await until("no connection is left") { try await Self.clients(admin) == 1 }
  }

  /// The connection ends after each possible number of bytes of the values.
  @Test(arguments: [false, true]) func valuesMayEndAnywhere(isReset: Bool) async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let admin = try server.client { $0.connections = 1 }
    try await Graph.ValkeyStorage(admin).store(response("[1]"), for: key("a"))
    var found = 0
    // The value for the handshake has 7 bytes.
    for count in 0..<400 {
      let proxy = try CuttingProxy(to: port, after: count, isReset: isReset)
      var configuration = Graph.ValkeyConfiguration(
        .host("127.0.0.1", port: proxy.port), namespace: "test")
      configuration.connections = 1
      configuration.timeout = .seconds(20)
      let storage = Graph.ValkeyStorage(try Graph.Valkey(configuration))
      let start = ContinuousClock.now
      let value = try? await storage.response(for: key("a"))
      #expect(value == nil || value?.bytes == Array("[1]".utf8))
      #expect(ContinuousClock.now - start < .seconds(10))
      if value != nil { found += 1 }
    }
    // A complete value is used, although the connection ends after it.
    #expect(found > 100 && found < 390)
    try await until("no connection is left") { try await Self.clients(admin) == 1 }
  }
}

/// Passes the bytes of one connection to a server, and ends the connection after some bytes of its values. Refuses others.
private final class CuttingProxy: Sendable {
  let port: Int
  private let listener: Int32

  init(to server: Int, after limit: Int, isReset: Bool) throws {
    port = try freePort()
    listener = newSocket()
    try #require(
      withLoopbackAddress(port) { bind(listener, $0, $1) } == 0 && listen(listener, 10) == 0)
    Thread { [listener] in
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      let upstream = newSocket()
      _ = withLoopbackAddress(server) { connect(upstream, $0, $1) }
      var left = limit
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var entries = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while left > 0, poll(&entries, 2, 20_000) > 0 {
        if entries[0].revents != 0 {
          let count = read(client, &buffer, buffer.count)
          guard count > 0, send(upstream, buffer, count, Int32(MSG_NOSIGNAL)) == count else {
            break
          }
        }
        if entries[1].revents != 0 {
          let count = read(upstream, &buffer, min(left, buffer.count))
          guard count > 0, send(client, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
          left -= count
        }
      }
      if isReset {
        var none = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
      }
      close(client)
      close(upstream)
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
