#if !canImport(Darwin)
  import Foundation
  import GraphQLRuntime
  import StorefrontAPI
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  /// `graphql-transport-ws` with servers of other authors.
  @Suite(
    .enabled(if: TestServer.isRunning, TestServer.absence),
    .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct WebSocketIntegrationTests {
    private func ticks(_ client: Graph.Client, from start: Int) async throws -> [Int?] {
      var ticks: [Int?] = []
      let subscription = Store.buildSubscription { $0.tick(from: start) }
      for try await event in client.subscribe(subscription, over: .webSocket) {
        ticks.append(event.data?.tick)
      }
      return ticks
    }

    @Test func subscriptionsShareAConnectionToStrawberry() async throws {
      let client = Graph.Client.integration(try TestServer.url("store"))
      async let low = ticks(client, from: 1)
      async let high = ticks(client, from: 100)
      #expect(try await low == [1, 2, 3])
      #expect(try await high == [100, 101, 102])
    }

    @Test func subscriptionToAriadne() async throws {
      let client = Graph.Client.integration(try TestServer.url("shop"))
      var numbers: [Int?] = []
      let subscription = Storefront.buildSubscription {
        $0.orderUpdated(id: GraphQL.ID(rawValue: "order/1")) { $0.number() }
      }
      for try await event in client.subscribe(subscription, over: .webSocket) {
        numbers.append(event.data?.orderUpdated.number)
      }
      #expect(numbers == [1, 2, 3])
    }

    @Test func refusedQueryHasTheErrorsOfTheServer() async throws {
      let client = Graph.Client.integration(try TestServer.url("store")) {
        $0.webSocket.carriesQueriesAndMutations = true
      }
      // The fixture has a field that the server does not have.
      let response = try await client.query(Store.buildQuery { $0.customer { $0.email() } })
      #expect(response.data == nil)
      #expect(response.errors.first?.message.contains("customer") == true)
    }

    @Test func aHandshakeWithoutTheTokenIsRefused() async throws {
      let endpoint = try TestServer.url("private/store")
      await #expect(throws: Graph.QueryError.self) {
        try await ticks(.integration(endpoint), from: 0)
      }
      let client = Graph.Client.integration(endpoint, headers: ["Authorization": "Bearer good"])
      #expect(try await ticks(client, from: 0) == [0, 1, 2])
    }
  }

  /// A server whose certificate was signed by a private authority.
  @Suite(
    .enabled(if: TestServer.isRunning, TestServer.absence),
    .enabled(if: TestServer.securePort != nil, "needs the openssl tool"),
    .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct SecureWebSocketIntegrationTests {
    private func firstTick(host: String = "localhost", authority: URL?) async throws -> Int? {
      let port = try #require(TestServer.securePort)
      let endpoint = try #require(URL(string: "https://\(host):\(port)/store/"))
      let client = Graph.Client.integration(endpoint) {
        $0.retryPolicy = .none
        var configuration = Graph.CurlConfiguration()
        if let authority { configuration.trust = .only(authority) }
        $0.webSocket.transport = Graph.CurlWebSocketTransport(
          transport: Graph.CurlTransport(configuration: configuration))
      }
      let subscription = Store.buildSubscription { $0.tick(from: 5) }
      for try await event in client.subscribe(subscription, over: .webSocket) {
        return event.data?.tick
      }
      return nil
    }

    private func isRefused(host: String = "localhost", authority: URL?) async throws {
      let error = await #expect(throws: Graph.QueryError.self) {
        try await firstTick(host: host, authority: authority)
      }
      let cause = try #require(error?.transportError)
      #expect(cause.code == .tls && !cause.bytesSent)
    }

    @Test func acceptsACertificateOfTheTrustedAuthority() async throws {
      #expect(try await firstTick(authority: TestServer.authority()) == 5)
    }

    @Test func systemTrustRejectsAPrivateAuthority() async throws {
      try await isRefused(authority: nil)
    }

    @Test func rejectsACertificateOfAnotherAuthority() async throws {
      try await isRefused(authority: TestServer.authority("stranger"))
    }

    @Test func rejectsACertificateOfAnotherHost() async throws {
      try await isRefused(host: "127.0.0.1", authority: TestServer.authority())
    }

    @Test func missingAuthorityFileRejectsTheCertificate() async throws {
      try await isRefused(authority: TestServer.authority("missing"))
    }
  }
#endif
