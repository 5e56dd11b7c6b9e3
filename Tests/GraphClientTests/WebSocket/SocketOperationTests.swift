#if !canImport(Darwin)
  import GraphJSON
  import GraphQLRuntime
  import Loopback
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  /// Queries and mutations over a web socket.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct SocketOperationTests {
    private static let data = #"{"data":{"shop":{"name":"Shoes"}}}"#

    private static func client(
      _ server: LoopbackServer, time: any Graph.TimeSource = HeldTime()
    ) -> Graph.Client {
      SubscriptionSocketTests.client(
        server, time: time, configure: { $0.carriesQueriesAndMutations = true })
    }

    private struct Counter: Graph.Interceptor {
      let calls: Box<Int>

      func intercept(
        _ request: Graph.OperationRequest, next: Next
      ) async throws -> Graph.OperationResponse {
        calls.update { $0 += 1 }
        return try await next(request)
      }
    }

    @Test func operationsShareOneConnection() async throws {
      let kinds = Box<[String]>([])
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let message = peer.message() {
          guard message["type"] == "subscribe", case .string(let id)? = message["id"],
            case .string(let query)? = message["payload"]?["query"]
          else { continue }
          kinds.update { $0.append(query.hasPrefix("mutation") ? "mutation" : "query") }
          let data =
            query.hasPrefix("mutation")
            ? #"{"data":{"rename":{"name":"Boots"}}}"# : Self.data
          peer.send(#"{"id":"\#(id)","type":"next","payload":\#(data)}"#)
          peer.complete(id)
        }
      }
      let client = Self.client(server)
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
      _ = try await client.mutate(renameMutation())
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
      #expect(kinds.current == ["query", "mutation", "query"])
      #expect(server.requests.count == 1)
    }

    @Test func connectionClosesAfterTheIdleTimeout() async throws {
      let time = HeldTime()
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let id = peer.subscription()
        peer.send(#"{"id":"\#(id ?? "")","type":"next","payload":\#(Self.data)}"#)
        peer.complete(id)
        peer.waitForEnd()
        isOver.open()
      }
      let client = Self.client(server, time: time)
      _ = try await client.query(shopQuery())
      try await time.runAction(after: .seconds(30))
      await isOver.wait()
      _ = client
    }

    /// A response to one user must not be given to another one.
    @Test func idleConnectionIsReplacedByOneOfTheOtherUser() async throws {
      let names = ["First", "Second", "Third"]
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        while let id = peer.subscription() {
          peer.send(
            #"{"id":"\#(id)","type":"next","payload":{"data":{"shop":{"name":"\#(names[number])"}}}}"#
          )
          peer.complete(id)
        }
        if number == 0 { isOver.open() }
      }
      let token = Box("a")
      let client = SubscriptionSocketTests.client(
        server, headers: { ["Authorization": token.current] },
        configure: { $0.carriesQueriesAndMutations = true })
      #expect(try await client.query(shopQuery()).requireData().shop.name == "First")
      token.update { $0 = "b" }
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Second")
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Second")
      await isOver.wait()
      token.update { $0 = "a" }
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Third")
      #expect(server.requests.count == 3)
    }

    @Test func operationsOfAnotherUserUseHTTPWhileTheConnectionIsInUse() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let id = peer.subscription() {
          peer.send(#"{"id":"\#(id)","type":"next","payload":{"data":{"tick":1}}}"#)
        }
      }
      let token = Box("a")
      let calls = Box(0)
      let client = SubscriptionSocketTests.client(
        server, headers: { ["Authorization": token.current] },
        interceptors: [Counter(calls: calls)],
        configure: { $0.carriesQueriesAndMutations = true })
      var ticks = SubscriptionSocketTests.ticks(client).makeAsyncIterator()
      _ = try await ticks.next()
      token.update { $0 = "b" }
      calls.update { $0 = 0 }
      // The scripted transport's shop.
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
      #expect(server.requests.count == 1)
      #expect(calls.current == 1)
    }

    @Test func errorMessageIsAResponse() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let id = peer.subscription()
        peer.send(#"{"id":"\#(id ?? "")","type":"error","payload":[{"message":"bad"}]}"#)
        peer.waitForEnd()
      }
      let response = try await Self.client(server).query(shopQuery())
      #expect(response.data == nil && response.errors.map(\.message) == ["bad"])
    }

    @Test func queryIsRepeatedAfterALostConnection() async throws {
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        let id = peer.subscription()
        if number == 0 { return peer.drop() }
        peer.send(#"{"id":"\#(id ?? "")","type":"next","payload":\#(Self.data)}"#)
        peer.waitForEnd()
      }
      let time = HeldTime()
      let client = Self.client(server, time: time)
      async let response = client.query(shopQuery())
      try await time.pass(.milliseconds(500))
      #expect(try await response.requireData().shop.name == "Shoes")
      #expect(server.requests.count == 2)
    }

    @Test func numberOfRequestsIsThatOfTheRetryPolicy() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        peer.drop()
      }
      let time = HeldTime()
      let client = SubscriptionSocketTests.client(
        server, time: time, attempts: 3, configure: { $0.carriesQueriesAndMutations = true })
      let response = Task { try await client.query(shopQuery()) }
      try await time.pass(.milliseconds(500))
      try await time.pass(.seconds(1))
      let error = await #expect(throws: Graph.QueryError.self) { try await response.value }
      #expect(error?.transportError?.code == .connectionLost)
      #expect(server.requests.count == 3)
    }

    @Test func mutationIsNotRepeatedWithANewTokenOnceItWasSent() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        peer.close(4401)
        peer.waitForEnd()
      }
      let refresher = Graph.TokenRefresher(token: "old") { "new" }
      let client = SubscriptionSocketTests.client(
        server, interceptors: [refresher], configure: { $0.carriesQueriesAndMutations = true })
      let error = await #expect(throws: Graph.QueryError.self) {
        try await client.mutate(renameMutation())
      }
      #expect(error?.transportError?.bytesSent == true)
      #expect(server.requests.count == 1)
    }

    @Test func queryIsRepeatedWithANewToken() async throws {
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        let id = peer.subscription()
        if number == 0 { return peer.close(4401) }
        peer.send(#"{"id":"\#(id ?? "")","type":"next","payload":\#(Self.data)}"#)
        peer.waitForEnd()
      }
      let refresher = Graph.TokenRefresher(token: "old") { "new" }
      let client = SubscriptionSocketTests.client(
        server, interceptors: [refresher], configure: { $0.carriesQueriesAndMutations = true })
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
      #expect(server.requests.count == 2)
    }

    @Test func mutationThatMayHaveBeenReceivedIsNotRepeated() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        peer.drop()
      }
      let error = await #expect(throws: Graph.QueryError.self) {
        try await Self.client(server).mutate(renameMutation())
      }
      #expect(error?.transportError?.bytesSent == true)
      #expect(server.requests.count == 1)
    }

    /// An operation must not get the error of the connection before its own.
    @Test func operationAfterALostConnectionGetsANewOne() async throws {
      let count = Box(0)
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let id = peer.subscription() {
          count.update { $0 += 1 }
          if !count.current.isMultiple(of: 2) { return peer.drop() }
          peer.send(
            #"{"id":"\#(id)","type":"next","payload":{"data":{"rename":{"name":"Boots"}}}}"#)
          peer.complete(id)
        }
      }
      let client = SubscriptionSocketTests.client(
        server, attempts: 1, configure: { $0.carriesQueriesAndMutations = true })
      for _ in 0..<50 {
        let error = await #expect(throws: Graph.QueryError.self) {
          try await client.mutate(renameMutation())
        }
        #expect(error?.transportError?.bytesSent == true)
        _ = try await client.mutate(renameMutation()).requireData()
      }
    }

    @Test func mutationThatWasNotSentIsKnownToBeUnsent() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        _ = peer.message(ofType: "connection_init")
        peer.drop()
      }
      let client = SubscriptionSocketTests.client(
        server, attempts: 1, configure: { $0.carriesQueriesAndMutations = true })
      let error = await #expect(throws: Graph.QueryError.self) {
        try await client.mutate(renameMutation())
      }
      #expect(error?.transportError?.bytesSent == false)
    }

    /// Their responses have several parts, or the requests need a header field.
    @Test func operationsThatNeedHTTPUseIt() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in peer.acknowledge() }
      let client = Self.client(server)
      let deferred = Store.buildQuery { root in
        root._directive(GraphQL.Directive<Store>("defer"))
        root.shop { $0.name() }
      }
      // The scripted transport's shop.
      #expect(try await client.query(deferred).data?.shop.name == "Shoes")
      _ = try? await client.mutate(renameMutation(), idempotencyKey: "k")
      #expect(server.requests.isEmpty)
    }

    @Test func completionWithoutResponseIsAnError() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        peer.complete(peer.subscription())
        peer.waitForEnd()
      }
      let error = await #expect(throws: Graph.QueryError.self) {
        try await Self.client(server).query(shopQuery())
      }
      #expect(error?.code == .noData)
    }
  }
#endif
