import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(3))) struct RepeatedRemovalTests {
  /// The value of a removal is lost with the connection, and another process stores and removes before the removal is
  /// repeated. The other process's removal still counts.
  @Test func aRepeatedRemovalRestoresNothing() async throws {
    let (port, busPort) = (try freePort(), try freePort())
    let proxy = try FaultyProxy(to: port)
    let server = try await ValkeyServer([
      "--cluster-enabled", "yes", "--port", "\(port)", "--cluster-port", "\(busPort)",
      "--cluster-announce-ip", "127.0.0.1", "--cluster-announce-port", "\(proxy.port)",
    ])
    let direct = try server.client(namespace: "{test:0}") { $0.checksHistory = false }
    try await direct.run("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
    try await until("the server has all slots") {
      try await direct.run("CLUSTER", "INFO").text?.contains("cluster_state:ok") == true
    }
    var configuration = Graph.ValkeyConfiguration(
      .cluster(nodes: [.host("127.0.0.1", port: proxy.port)]), namespace: "test")
    configuration.timeout = .seconds(5)
    configuration.connectTimeout = .seconds(10)
    configuration.backoff = Graph.Backoff(base: .milliseconds(20), maximum: .milliseconds(50))
    let storage = Graph.ValkeyStorage(try Graph.Valkey(configuration))
    let other = Graph.ValkeyStorage(direct)
    #expect(storage.keys.prefix == other.keys.prefix)
    try await storage.store(response("0"), for: key("a"))
    let before = try await direct.run("GET", storage.keys.all)

    proxy.set(.holdsValues)
    let removal = Task { try await storage.removeAll() }
    try await until("it is carried out") { try await direct.run("GET", storage.keys.all) != before }
    proxy.set(.closes)
    try await other.store(response("1"), for: key("a"))
    #expect(try await other.response(for: key("a"))?.bytes == [49])
    try await other.removeAll()
    proxy.set(.none)
    try await removal.value
    #expect(try await other.response(for: key("a")) == nil)
  }
}
