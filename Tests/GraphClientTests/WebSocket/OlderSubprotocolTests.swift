#if !canImport(Darwin)
  import GraphJSON
  import GraphQLRuntime
  import Loopback
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  /// The protocol of subscriptions-transport-ws, over real connections to a scripted server.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct OlderSubprotocolTests {
    private static func client(_ server: LoopbackServer) -> Graph.Client {
      SubscriptionSocketTests.client(
        server,
        configure: {
          $0.subprotocol = .graphQLWS
          $0.connectionPayload = { _ in ["token": "t"] }
        })
    }

    @Test func deliversEventsFromStartToComplete() async throws {
      let seen = Box<[JSON]>([])
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade(subprotocol: "graphql-ws")
        guard let initialization = peer.message() else { return }
        peer.send(#"{"type":"ka"}"#)
        peer.send(#"{"type":"connection_ack"}"#)
        guard let start = peer.message(), case .string(let id)? = start["id"] else { return }
        seen.update { $0 = [initialization, start] }
        for number in 1...2 {
          peer.send(
            #"{"id":"\#(id)","type":"data","payload":{"data":{"tick":\#(number)}}}"#)
          peer.send(#"{"type":"ka"}"#)
        }
        peer.send(#"{"id":"\#(id)","type":"complete","payload":null}"#)
        peer.waitForEnd()
      }
      let (ticks, error) = await SubscriptionSocketTests.collect(
        SubscriptionSocketTests.ticks(Self.client(server)))
      #expect(ticks == [1, 2] && error == nil)
      #expect(server.requests.first?.headers["sec-websocket-protocol"] == "graphql-ws")
      #expect(seen.current.first?["type"] == "connection_init")
      #expect(seen.current.first?["payload"] == ["token": "t"])
      #expect(seen.current.last?["type"] == "start")
      #expect(seen.current.last?["payload"]?["query"] != nil)
    }

    @Test func stopEndsASubscription() async throws {
      let stop = Box<JSON?>(nil)
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade(subprotocol: "graphql-ws")
        _ = peer.message(ofType: "connection_init")
        peer.send(#"{"type":"connection_ack"}"#)
        guard case .string(let id)? = peer.message(ofType: "start")?["id"] else { return }
        peer.send(#"{"id":"\#(id)","type":"data","payload":{"data":{"tick":1}}}"#)
        let message = peer.message()
        stop.update { $0 = message }
        isOver.open()
        peer.waitForEnd()
      }
      for try await _ in SubscriptionSocketTests.ticks(Self.client(server)) { break }
      await isOver.wait()
      #expect(stop.current?["type"] == "stop")
    }

    @Test(arguments: [
      #"{"message":"bad"}"#, #"[{"message":"bad"}]"#,
    ])
    func errorMessageEndsASubscription(payload: String) async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade(subprotocol: "graphql-ws")
        _ = peer.message(ofType: "connection_init")
        peer.send(#"{"type":"connection_ack"}"#)
        guard case .string(let id)? = peer.message(ofType: "start")?["id"] else { return }
        peer.send(#"{"id":"\#(id)","type":"error","payload":\#(payload)}"#)
        peer.waitForEnd()
      }
      let (ticks, error) = await SubscriptionSocketTests.collect(
        SubscriptionSocketTests.ticks(Self.client(server)))
      #expect(ticks.isEmpty && error?.code == .responseErrors)
      #expect(error?.errors.map(\.message) == ["bad"])
    }

    @Test func refusedConnectionIsAnAuthenticationError() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade(subprotocol: "graphql-ws")
        _ = peer.message(ofType: "connection_init")
        peer.send(#"{"type":"connection_error","payload":{"message":"no token"}}"#)
        peer.waitForEnd()
      }
      let (_, error) = await SubscriptionSocketTests.collect(
        SubscriptionSocketTests.ticks(Self.client(server)))
      #expect(error?.code == .unauthenticated)
      #expect(error?.errors.map(\.message) == ["no token"])
      #expect(server.requests.count == 1)
    }

    @Test func messagesOfTheCurrentProtocolAreViolations() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade(subprotocol: "graphql-ws")
        _ = peer.message(ofType: "connection_init")
        peer.send(#"{"type":"ping"}"#)
        peer.waitForEnd()
      }
      let (_, error) = await SubscriptionSocketTests.collect(
        SubscriptionSocketTests.ticks(Self.client(server)))
      #expect(error?.code == .protocolViolation)
    }
  }
#endif
