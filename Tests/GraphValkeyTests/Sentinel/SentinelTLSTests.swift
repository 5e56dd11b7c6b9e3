import Foundation
import GraphClient
import Testing

@testable import GraphValkey

/// Sentinels and servers that accept only TLS, with certificates for different names.
@Suite(
  .needsServer, .enabled(if: OpenSSL.isInstalled, "libssl is missing"), .timeLimit(.minutes(2)))
struct SentinelTLSTests {
  private typealias TLS = Graph.ValkeyConfiguration.TLS

  private let certificates: TestCertificates
  private let user = Graph.ValkeyConfiguration.Credentials(user: "asker", password: "password")

  init() throws {
    certificates = try TestCertificates()
    try certificates.make("server", names: "DNS:cache.example")
    try certificates.make("sentinel", names: "DNS:sentinel.example")
  }

  private func tls(_ name: String) -> TLS {
    TLS(serverName: name, authorities: certificates.file("ca.pem"))
  }

  private func group() async throws -> (server: ValkeyServer, sentinel: ValkeySentinel) {
    let (port, sentinelPort) = (try freePort(), try freePort())
    let server = try await ValkeyServer(
      certificates.server("server", port: port, ["--tls-auth-clients", "no"]))
    let settings =
      certificates.settings("sentinel", port: sentinelPort).map { "\($0.name) \($0.value)" }
      + [
        "tls-auth-clients no", "tls-replication yes", "user default off",
        "user asker on >password ~* &* +@all",
      ]
    let sentinel = try await ValkeySentinel(
      master: port, port: sentinelPort, settings, credentials: user, tls: tls("sentinel.example"))
    return (server, sentinel)
  }

  private func client(
    _ sentinel: ValkeySentinel, credentials: Graph.ValkeyConfiguration.Credentials?,
    sentinelTLS: TLS?, tls: TLS?
  ) throws -> Graph.Valkey {
    var configuration = Graph.ValkeyConfiguration(
      .sentinel(
        master: "shop", sentinels: [sentinel.address], credentials: credentials, tls: sentinelTLS),
      namespace: "test")
    configuration.timeout = .seconds(5)
    configuration.connectTimeout = .seconds(5)
    configuration.tls = tls
    return try Graph.Valkey(configuration)
  }

  /// The message of the first attempt to connect; nil if it has succeeded.
  private func failure(_ valkey: Graph.Valkey) async -> String? {
    do throws(Graph.ValkeyError) {
      try await valkey.ping()
      return nil
    } catch {
      #expect(!valkey.isConnected && !error.message.contains("password"))
      return error.message
    }
  }

  @Test func connectsToTheMasterByTheNamesOfBoth() async throws {
    let (server, sentinel) = try await group()
    let valkey = try client(
      sentinel, credentials: user, sentinelTLS: tls("sentinel.example"),
      tls: tls("cache.example"))
    let storage = Graph.CoherentStorage(Graph.ValkeyStorage(valkey))
    try await storage.store(response("1"), for: key("a"))
    #expect(try await storage.response(for: key("a"))?.bytes == [49])
    try await until("changes arrive") { storage.isCoherent }
    withExtendedLifetime(server) {}
  }

  /// The certificate of the one is not one of the other, and neither is used without TLS.
  @Test func sentinelsWithAnotherNameAreNotAsked() async throws {
    let (server, sentinel) = try await group()
    let none = "none of the sentinels responds"
    for wrong in [tls("cache.example"), tls("example"), tls(""), nil] {
      let valkey = try client(
        sentinel, credentials: user, sentinelTLS: wrong, tls: tls("cache.example"))
      #expect(await failure(valkey)?.contains(none) == true)
    }
    // The authorities of the system do not include that of the test.
    let untrusted = try client(
      sentinel, credentials: user, sentinelTLS: TLS(serverName: "sentinel.example"),
      tls: tls("cache.example"))
    #expect(await failure(untrusted)?.contains(none) == true)
    withExtendedLifetime(server) {}
  }

  @Test func serversWithAnotherNameAreNotUsed() async throws {
    let (server, sentinel) = try await group()
    for wrong in [tls("sentinel.example"), nil] {
      let valkey = try client(
        sentinel, credentials: user, sentinelTLS: tls("sentinel.example"), tls: wrong)
      let message = await failure(valkey)
      #expect(message != nil && message?.contains("sentinel") == false)
    }
    withExtendedLifetime(server) {}
  }

  @Test(arguments: [
    (nil, "NOAUTH"),
    (Graph.ValkeyConfiguration.Credentials(user: "asker", password: "wrong"), "WRONGPASS"),
    (Graph.ValkeyConfiguration.Credentials(password: "password"), "WRONGPASS"),
  ])
  func sentinelsRefuseOtherUsers(
    credentials: Graph.ValkeyConfiguration.Credentials?, refusal: String
  ) async throws {
    let (server, sentinel) = try await group()
    let valkey = try client(
      sentinel, credentials: credentials, sentinelTLS: tls("sentinel.example"),
      tls: tls("cache.example"))
    #expect(await failure(valkey)?.contains(refusal) == true)
    withExtendedLifetime(server) {}
  }
}
