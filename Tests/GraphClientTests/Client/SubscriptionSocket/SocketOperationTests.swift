#if !canImport(Darwin)
  import GraphJSON
  import GraphQLRuntime
  import Loopback
  import Testing

  @testable import GraphClient

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
    @Test func operationsOfAnotherUserAreNotSentOverTheConnection() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let id = peer.subscription() {
          peer.send(#"{"id":"\#(id)","type":"next","payload":{"data":{"shop":{"name":"First"}}}}"#)
          peer.complete(id)
        }
      }
      let token = Box("a")
      let client = SubscriptionSocketTests.client(
        server, headers: { ["Authorization": token.current] },
        configure: { $0.carriesQueriesAndMutations = true })
      #expect(try await client.query(shopQuery()).requireData().shop.name == "First")
      token.update { $0 = "b" }
      // The scripted transport's shop.
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Shoes")
      token.update { $0 = "a" }
      #expect(try await client.query(shopQuery()).requireData().shop.name == "First")
      #expect(server.requests.count == 1)
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
