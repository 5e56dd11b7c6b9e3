#if !canImport(Darwin)
  import Foundation
  import GraphClient
  import Loopback
  import TestSupport
  import Testing

  /// Servers whose certificates are refused, or that refuse the client's: the error contains the
  /// reason, and states that nothing was sent.
  @Suite(
    .enabled(if: TestAuthority.isAvailable, TestAuthority.absence), .timeLimit(.minutes(5)))
  struct TLSTests {
    struct Case: CustomTestStringConvertible {
      let certificate: String
      var options: [String] = []
      var host = "localhost"
      /// The trust in the server; nil is the system's.
      var authority: String? = "authority"
      /// The client's certificate.
      var client: String?
      var key: String?
      var password: String?
      /// Words of the message, one of which is required; empty if the server is to be trusted.
      let reasons: [String]

      var testDescription: String {
        "\(certificate), \(host), trusts \(authority ?? "system"), as \(client ?? "nobody") \(options)"
      }
    }

    private static let askingForOne = [
      "-Verify", "1", "-verify_return_error", "-CAfile", "authority.pem",
    ]
    private static let oldOnly = ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"]

    static let cases = [
      Case(certificate: "good", reasons: []),
      Case(certificate: "good", host: "127.0.0.1", reasons: []),
      Case(certificate: "good", options: ["-tls1_2"], reasons: []),
      Case(certificate: "good", options: ["-tls1_3"], reasons: []),
      Case(certificate: "selfsigned", reasons: ["self-signed", "self signed"]),
      Case(
        certificate: "selfsigned", options: ["-tls1_2"], reasons: ["self-signed", "self signed"]),
      Case(certificate: "selfsigned", authority: "selfsigned", reasons: []),
      Case(certificate: "expired", reasons: ["expired"]),
      Case(certificate: "expired", options: ["-tls1_2"], reasons: ["expired"]),
      Case(certificate: "future", reasons: ["not yet valid"]),
      Case(certificate: "elsewhere", reasons: ["name"]),
      Case(certificate: "elsewhere", host: "127.0.0.1", reasons: ["name"]),
      Case(certificate: "unnamed", reasons: ["name"]),
      Case(certificate: "unknown", reasons: ["issuer"]),
      Case(certificate: "good", authority: nil, reasons: ["issuer"]),
      Case(certificate: "good", authority: "stranger", reasons: ["issuer"]),
      Case(certificate: "clientonly", reasons: ["purpose"]),
      Case(certificate: "good", options: oldOnly, reasons: ["protocol", "legacy"]),
      Case(certificate: "good", options: askingForOne, client: "client", reasons: []),
      Case(
        certificate: "good", options: askingForOne + ["-tls1_2"], client: "client", reasons: []),
      Case(
        certificate: "good", options: askingForOne, client: "client", key: "locked",
        password: "secret", reasons: []),
      Case(certificate: "good", options: askingForOne, reasons: ["certificate required"]),
      Case(
        certificate: "good", options: askingForOne + ["-tls1_2"], reasons: ["handshake failure"]),
      Case(
        certificate: "good", options: askingForOne, client: "otherclient",
        reasons: ["unknown ca", "certificate"]),
      Case(
        certificate: "good", options: askingForOne + ["-tls1_2"], client: "otherclient",
        reasons: ["unknown ca", "certificate"]),
      Case(
        certificate: "good", options: askingForOne, client: "expiredclient",
        reasons: ["certificate expired"]),
      Case(
        certificate: "good", client: "client", key: "locked", password: "wrong",
        reasons: ["private key"]),
      Case(
        certificate: "good", client: "client", key: "good", reasons: ["private key", "certificate"]),
      Case(certificate: "good", client: "missing", key: "client", reasons: ["certificate"]),
      Case(certificate: "good", client: "client", key: "missing", reasons: ["private key"]),
      Case(certificate: "good", authority: "missing", reasons: ["missing.pem", "certificate"]),
    ]

    @Test(arguments: cases, [true, false])
    func handshakeFailureReportsTheReason(tls: Case, isQuery: Bool) async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSServer(authority, certificate: tls.certificate, options: tls.options)
      var request = Graph.HTTPRequest(
        method: .get, url: server.url(tls.host), timeout: .seconds(60))
      request.isIdempotent = isQuery
      let transport = transport(tls, authority)
      if tls.reasons.isEmpty {
        let response = try await transport.send(request)
        #expect(response.status == 200)
        for try await _ in response.body {}
        return
      }
      let error = await #expect(throws: Graph.TransportError.self) {
        for try await _ in try await transport.send(request).body {}
      }
      #expect(error?.code == .tls, "\(String(describing: error))")
      #expect(error?.bytesSent == false)
      let message = error?.message ?? ""
      #expect(tls.reasons.contains { message.localizedStandardContains($0) }, "\(message)")
    }

    private func transport(_ tls: Case, _ authority: TestAuthority) -> Graph.CurlTransport {
      var configuration = Graph.CurlConfiguration()
      if let name = tls.authority { configuration.trust = .only(authority.certificate(name)) }
      if let client = tls.client {
        configuration.clientCertificate = .init(
          certificate: authority.certificate(client), key: authority.key(tls.key ?? client),
          password: tls.password)
      }
      return Graph.CurlTransport(configuration: configuration)
    }

    @Test func additionalAuthorityIsTrusted() async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSServer(authority, certificate: "good")
      var configuration = Graph.CurlConfiguration()
      configuration.trust = .system(and: authority.certificate("authority"))
      let response = try await Graph.CurlTransport(configuration: configuration)
        .send(.init(method: .get, url: server.url()))
      #expect(response.status == 200)
    }

    /// The connection is cut after that many bytes of the server's; a handshake has about 1,000.
    @Test(arguments: [["-tls1_2"], ["-tls1_3"]], [true, false])
    func interruptedHandshakeSendsNoRequest(options: [String], resets: Bool) async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSServer(authority, certificate: "good", options: options)
      for count in [0, 1, 4, 5, 6, 20, 60, 100, 120, 127, 130, 150, 200, 300, 400, 500] {
        let relay = try Relay(to: server.port, count: count, resets: resets)
        let transport = transport(Case(certificate: "good", reasons: []), authority)
        let error = await #expect(throws: Graph.TransportError.self) {
          _ = try await transport.send(
            .init(method: .get, url: relay.url, timeout: .seconds(60)))
        }
        #expect(error?.code == .tls, "\(count): \(String(describing: error))")
        #expect(error?.bytesSent == false, "\(count)")
      }
    }

    /// A response without a request is not taken for the response to the next request.
    @Test(arguments: [true, false])
    func unsolicitedResponseEndsItsConnection(isQuery: Bool) async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSConversation(authority)
      let transport = transport(Case(certificate: "good", reasons: []), authority)
      for path in ["/first", "/second", "/third"] {
        var request = Graph.HTTPRequest(
          url: server.url(path), body: .bytes([0x7B, 0x7D]), timeout: .seconds(60))
        request.isIdempotent = isQuery
        async let response = transport.send(request)
        try await server.receive(path)
        try await server.send(
          "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
        #expect(try await response.body.text() == path)
        try await server.send("HTTP/1.1 500 Unexpected\r\nContent-Length: 2\r\n\r\nno")
      }
    }

    /// The server requests a certificate after it has received the request, as TLS 1.2 allows, and
    /// refuses the client's certificate.
    @Test func certificateRefusalAfterTheRequestReportsBytesSent() async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSServer(
        authority, certificate: "good", page: false,
        options: [
          "-tls1_2", "-no_resumption_on_reneg", "-verify_return_error", "-CAfile", "authority.pem",
        ])
      let transport = transport(
        Case(certificate: "good", client: "otherclient", reasons: []), authority)
      let request = Graph.HTTPRequest(
        url: server.url(), body: .bytes(Array("carried out".utf8)), timeout: .seconds(60))
      let response = Task { try await transport.send(request) }
      try await wait { server.output.contains("carried out") }
      // The tool's command for another handshake.
      try server.write("R\n")
      let error = await #expect(throws: Graph.TransportError.self) { try await response.value }
      #expect(error?.bytesSent == true, "\(String(describing: error))")
      #expect(error?.message.contains("alert") == true, "\(String(describing: error))")
    }

    /// Functions that run at the end of a process free memory that TLS uses.
    @Test func processExitsCleanlyDuringRequests() async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSServer(authority, certificate: "good")
      let program = BuiltTool("exit-during-requests")
      for _ in 0..<30 {
        let run = try program.run(
          [server.url().absoluteString, authority.certificate("authority").path],
          in: authority.folder)
        #expect(run.status == 0, "\(run.error)")
      }
    }

    /// A client with the wrong scheme.
    @Test func requestWithoutTLSReportsBytesSent() async throws {
      let authority = try TestAuthority.shared.get()
      let server = try TLSServer(authority, certificate: "good")
      let error = await #expect(throws: Graph.TransportError.self) {
        _ = try await Graph.CurlTransport().send(
          .init(method: .get, url: server.url(scheme: "http"), timeout: .seconds(60)))
      }
      #expect(error?.code == .invalidResponse || error?.code == .connectionLost)
      #expect(error?.bytesSent == true)
    }
  }
#endif
