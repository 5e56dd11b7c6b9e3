import Foundation
import GraphClient
import TestSupport
import Testing

@testable import GraphValkey

/// Connections with TLS to a real server, with certificates that OpenSSL's program makes.
@Suite(
  .needsServer, .enabled(if: OpenSSL.isInstalled, "libssl is missing"), .timeLimit(.minutes(2)))
struct TLSTests {
  private let certificates: TestCertificates

  init() throws {
    certificates = try TestCertificates()
    try certificates.make("server", names: "DNS:cache.example,IP:127.0.0.1")
    try certificates.make("client", names: "DNS:client.example")
  }

  private func server(
    _ arguments: [String] = ["--tls-auth-clients", "no"]
  ) async throws -> (server: ValkeyServer, port: Int) {
    let port = try freePort()
    let server = try await ValkeyServer(
      certificates.server("server", port: port, arguments))
    return (server, port)
  }

  private func client(
    _ port: Int, name: String = "cache.example", authorities: String = "ca.pem",
    _ change: (inout Graph.ValkeyConfiguration.TLS) -> Void = { _ in }
  ) throws -> Graph.Valkey {
    var configuration = Graph.ValkeyConfiguration(
      .host("127.0.0.1", port: port), namespace: "test")
    configuration.timeout = .seconds(5)
    configuration.connectTimeout = .seconds(5)
    var tls = Graph.ValkeyConfiguration.TLS(
      serverName: name, authorities: certificates.file(authorities))
    change(&tls)
    configuration.tls = tls
    return try Graph.Valkey(configuration)
  }

  /// Whether a connection opens. It is known that none does when the first attempt has failed.
  private func connects(_ valkey: Graph.Valkey) async throws -> Bool {
    do {
      try await valkey.ping()
      return true
    } catch {
      #expect(error.code == .unavailable || error.code == .timedOut)
      #expect(!valkey.isConnected)
      return false
    }
  }

  @Test func storesResponses() async throws {
    let (server, port) = try await server()
    let valkey = try client(port)
    let storage = Graph.ValkeyStorage(valkey)
    // Many records of TLS, which are written and read in parts.
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<5 {
        group.addTask {
          try await storage.store(
            Graph.CachedResponse(bytes: bytes, storedAt: .now), for: key("\(number)"))
          let found = try await storage.response(for: key("\(number)"))?.bytes
          #expect(found == bytes)
        }
      }
      try await group.waitForAll()
    }
    // The plain connection of another client sees the same.
    let plain = Graph.ValkeyStorage(try server.client())
    #expect(try await plain.response(for: key("0"))?.bytes.count == bytes.count)
  }

  @Test func coherentMemoryFollowsChanges() async throws {
    let (server, port) = try await server()
    let coherent = Graph.CoherentStorage(Graph.ValkeyStorage(try client(port)))
    let other = Graph.ValkeyStorage(try server.client())
    try await until("changes are tracked") {
      _ = try? await coherent.response(for: key("a"))
      return coherent.isCoherent
    }
    try await other.store(response("1"), for: key("a"))
    #expect(try await coherent.response(for: key("a"))?.bytes == response("1").bytes)
    try await other.store(response("2"), for: key("a"))
    try await until("the change has arrived") {
      try await coherent.response(for: key("a"))?.bytes == response("2").bytes
    }
  }

  @Test(arguments: [
    ("cache.example", true), ("127.0.0.1", true), ("other.example", false),
    ("example", false), ("127.0.0.2", false), ("", false),
  ])
  func theCertificateMustBeValidForTheName(name: String, isValid: Bool) async throws {
    let (server, port) = try await server()
    #expect(try await connects(client(port, name: name)) == isValid)
    _ = server
  }

  @Test func theAuthorityMustBeTrusted() async throws {
    let (server, port) = try await server()
    try certificates.openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", "other.key", "-out", "other.pem", "-days", "2", "-subj", "/CN=Authority")
    #expect(try await !connects(client(port, authorities: "other.pem")))
    // Those of the system do not have it.
    #expect(try await !connects(client(port) { $0.authorities = nil }))
    _ = server
  }

  @Test func clientsHaveCertificates() async throws {
    let (server, port) = try await server(["--tls-auth-clients", "yes"])
    let (certificate, privateKey) = (
      certificates.file("client.pem"), certificates.file("client.key")
    )
    #expect(
      try await connects(client(port) { ($0.certificate, $0.key) = (certificate, privateKey) }))
    // Both in one file.
    let both = certificates.file("both.pem")
    try (Data(contentsOf: certificate) + Data(contentsOf: privateKey)).write(to: both)
    #expect(try await connects(client(port) { $0.certificate = both }))
    let without = try client(port)
    await #expect(throws: Graph.ValkeyError.self) { try await without.ping() }
    _ = server
  }

  @Test func unusableFilesAreReported() throws {
    func message(_ change: (inout Graph.ValkeyConfiguration.TLS) -> Void) -> String? {
      let error = #expect(throws: Graph.ValkeyError.self) { try client(1, change) }
      #expect(error?.code == .invalidConfiguration)
      return error?.message
    }
    #expect(
      message { $0.authorities = certificates.file("none.pem") }?.contains("authorities") == true)
    #expect(
      message { $0.certificate = certificates.file("none.pem") }?.contains("certificate") == true)
    #expect(message { $0.certificate = certificates.file("client.pem") }?.contains("key") == true)
    let wrong = message {
      ($0.certificate, $0.key) = (certificates.file("client.pem"), certificates.file("server.key"))
    }
    #expect(wrong?.contains("key") == true)
    #expect(message { $0.authorities = certificates.file("ca.key") } != nil)
  }

  /// A server that accepts the connection and does not speak TLS, or sends nothing.
  @Test func otherServersAreNotWaitedFor() async throws {
    let port = try freePort()
    let server = try await ValkeyServer(["--port", "\(port)"])
    #expect(try await !connects(client(port)))
    server.signal(SIGSTOP)
    var configuration = Graph.ValkeyConfiguration(
      .host("127.0.0.1", port: port), namespace: "test")
    configuration.tls = .init(serverName: "cache.example", authorities: certificates.file("ca.pem"))
    configuration.connectTimeout = .milliseconds(200)
    let silent = try Graph.Valkey(configuration)
    let code = await silent.pingFailure()
    #expect(code == .timedOut || code == .unavailable)
    try await until("the attempt has ended") { await silent.pingFailure() == .unavailable }
    server.signal(SIGCONT)
  }

  @Test func connectsAgain() async throws {
    let (server, port) = try await server()
    let valkey = try client(port)
    try await valkey.ping()
    // The server closes the connections of other clients.
    try await server.client().run("CLIENT", "KILL", "SKIPME", "yes", "TYPE", "normal")
    try await until("connected again") { (try? await valkey.ping()) != nil }
    server.kill9()
    try await until("the loss is known") { await valkey.pingFailure() == .unavailable }
  }
}
