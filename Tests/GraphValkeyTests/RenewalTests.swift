import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(2))) struct RenewalTests {
  /// A new lease is short. If the connection is lost before it is extended, it is extended on the next one, and no other
  /// process sends the same request.
  @Test func aNewLeaseIsExtendedOnTheNextConnection() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    let proxy = try FaultyProxy(to: port)
    var configuration = Graph.ValkeyConfiguration(
      .host("127.0.0.1", port: proxy.port), namespace: "test")
    // A new lease has five times as long.
    configuration.timeout = .seconds(2)
    configuration.backoff = Graph.Backoff(base: .milliseconds(20), maximum: .milliseconds(50))
    var options = Graph.ValkeyStorage.Options()
    options.leaseTime = .seconds(100)
    let storage = Graph.ValkeyStorage(try Graph.Valkey(configuration), options: options)
    try await storage.valkey.ping()
    let direct = try server.client()
    let token = Generations.random()
    let name = storage.keys.lease(key("a"))
    var commands = ValkeyCommands()
    commands.append([
      .init(text: "SET"), .init(text: name), token, .init(text: "PX"), .init(text: "10000"),
    ])
    _ = try await direct.send(commands)
    proxy.set(.closes)
    try await until("the connection is lost") { (try? await storage.valkey.ping()) == nil }
    let lease = ValkeyLease(storage, key("a"), token)
    lease.begin(nil)
    // Its first extension fails. If it is later than this, the test proves nothing, but does not fail.
    var checks = 0
    try await until("its first extension has failed") {
      checks += 1
      return checks > 10
    }
    proxy.set(.none)
    try await until("the lease is extended", within: .seconds(9)) {
      try await direct.run("PTTL", name).integer ?? 0 > 20_000
    }
    await lease.end(letsOthersAsk: false)
    #expect(try await direct.run("EXISTS", name) == .integer(0))
  }
}
