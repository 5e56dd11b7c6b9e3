#if !canImport(Darwin)
  import Foundation
  import GraphJSON
  import GraphQLRuntime
  import Loopback
  import TestSupport
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  /// The users of web sockets: an operation uses a connection with its own credentials.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct SocketIdentityTests {
    private typealias Ticks = Graph.Subscription<Store.Subscription>.Iterator

    private static func client(
      _ server: LoopbackServer, _ token: Box<String>, time: any Graph.TimeSource = HeldTime(),
      carriesQueries: Bool = false
    ) -> Graph.Client {
      SubscriptionSocketTests.client(
        server, time: time, headers: { ["Authorization": token.current] },
        configure: {
          $0.carriesQueriesAndMutations = carriesQueries
          $0.connectionPayload = { ["token": .string($0["Authorization"] ?? "")] }
        })
    }

    private static func respond(_ name: String, to id: String, _ peer: Peer) {
      peer.send(
        #"{"id":"\#(id)","type":"next","payload":{"data":{"shop":{"name":"\#(name)"}}}}"#)
      peer.complete(id)
    }

    private static func tokens(_ server: LoopbackServer) -> [String?] {
      server.requests.map { $0.headers["authorization"] }
    }

    @Test func subscriptionAfterALoginHasItsOwnConnection() async throws {
      let payloads = Box<[String]>([])
      let isSecondOpen = DispatchSemaphore(value: 0)
      let server = try LoopbackServer.webSocket { peer, number in
        let payload = peer.acknowledge()
        payloads.update { $0.append("\(payload?["token"] ?? .null)") }
        let id = peer.subscription()
        peer.tick(number * 10, for: id)
        if number == 0 { isSecondOpen.wait() } else { isSecondOpen.signal() }
        peer.tick(number * 10 + 1, for: id)
        peer.complete(id)
        peer.waitForEnd()
      }
      let token = Box("a")
      let client = Self.client(server, token)
      var first: Ticks = SubscriptionSocketTests.ticks(client).makeAsyncIterator()
      #expect(try await first.next()?.data?.tick == 0)
      token.update { $0 = "b" }
      let second = await SubscriptionSocketTests.collect(SubscriptionSocketTests.ticks(client))
      #expect(second.ticks == [10, 11] && second.error == nil)
      // The first one continues with its own credentials.
      #expect(try await first.next()?.data?.tick == 1)
      #expect(try await first.next() == nil)
      #expect(Self.tokens(server) == ["a", "b"])
      #expect(payloads.current == ["\(JSON.string("a"))", "\(JSON.string("b"))"])
    }

    @Test func subscriptionReplacesAnIdleConnectionOfAnotherUser() async throws {
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        while let id = peer.subscription() {
          if number == 0 {
            Self.respond("Boots", to: id, peer)
          } else {
            peer.tick(1, for: id)
            peer.complete(id)
          }
        }
        if number == 0 { isOver.open() }
      }
      let token = Box("a")
      let client = Self.client(server, token, carriesQueries: true)
      #expect(try await client.query(shopQuery()).requireData().shop.name == "Boots")
      token.update { $0 = "b" }
      let result = await SubscriptionSocketTests.collect(SubscriptionSocketTests.ticks(client))
      #expect(result.ticks == [1])
      await isOver.wait()
      #expect(Self.tokens(server) == ["a", "b"])
    }

    /// Also if each request has other fields, as with a signature.
    @Test func connectionIsOpenedWithTheFieldsOfItsFirstOperation() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let id = peer.subscription() {
          Self.respond(peer.request.headers["authorization"] ?? "", to: id, peer)
        }
      }
      let count = Box(0)
      let client = SubscriptionSocketTests.client(
        server,
        headers: {
          let number = count.update { count in
            count += 1
            return count
          }
          return ["Authorization": "\(number)"]
        },
        configure: { $0.carriesQueriesAndMutations = true })
      for number in 1...3 {
        #expect(try await client.query(shopQuery()).requireData().shop.name == "\(number)")
      }
      #expect(server.requests.count == 3)
    }

    /// The connection is opened again with the credentials of that time.
    @Test func operationDoesNotUseAConnectionReopenedByAnotherUser() async throws {
      let hasTick = DispatchSemaphore(value: 0)
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        let id = peer.subscription()
        peer.tick(number, for: id)
        guard number == 0 else { return peer.waitForEnd() }
        hasTick.wait()
        peer.drop()
      }
      let token = Box("a")
      let time = HeldTime()
      let client = Self.client(server, token, time: time)
      var ticks: Ticks = SubscriptionSocketTests.ticks(client).makeAsyncIterator()
      #expect(try await ticks.next()?.data?.tick == 0)
      hasTick.signal()
      try await time.sleeper(for: .milliseconds(500))
      let request = try await client.prepare(
        Graph.OperationRequest(try shopQuery().operation()), overHTTP: false)
      let stream = try client.stream(request, over: Graph.WebSocketSettings())
      token.update { $0 = "b" }
      try await time.pass(.milliseconds(500))
      let error = await #expect(throws: Graph.QueryError.self) { try await stream.next() }
      #expect(error?.cause is Graph.OtherIdentity)
      #expect(try await ticks.next()?.data?.tick == 1)
    }

    @Test func connectionWithATokenRenewedInItsHandshakeIsShared() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        guard peer.request.headers["authorization"] == "Bearer new" else {
          return peer.response("401 Unauthorized", ["Content-Length: 0"])
        }
        peer.acknowledge()
        while let id = peer.subscription() { peer.tick(1, for: id) }
      }
      let client = SubscriptionSocketTests.client(
        server, interceptors: [Graph.TokenRefresher(token: "old") { "new" }])
      var first: Ticks = SubscriptionSocketTests.ticks(client).makeAsyncIterator()
      var second: Ticks = SubscriptionSocketTests.ticks(client).makeAsyncIterator()
      #expect(try await first.next()?.data?.tick == 1)
      #expect(try await second.next()?.data?.tick == 1)
      #expect(Self.tokens(server) == ["Bearer old", "Bearer new"])
    }

    /// Some servers acknowledge every connection, and check the token of each operation.
    @Test(arguments: [4401, 4403] as [UInt16])
    func aTokenThatIsRefusedAfterTheAcknowledgementIsRefreshed(code: UInt16) async throws {
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        let id = peer.subscription()
        guard peer.request.headers["authorization"] == "Bearer new" else {
          peer.close(code)
          return peer.waitForEnd()
        }
        peer.tick(number, for: id)
        peer.complete(id)
        peer.waitForEnd()
      }
      let refreshCount = Box(0)
      let refresher = Graph.TokenRefresher(token: "old") {
        refreshCount.update { $0 += 1 }
        return "new"
      }
      let time = HeldTime()
      let client = SubscriptionSocketTests.client(server, time: time, interceptors: [refresher])
      async let result = SubscriptionSocketTests.collect(SubscriptionSocketTests.ticks(client))
      try await time.pass(.zero)
      let (ticks, error) = await result
      #expect(ticks == [1] && error == nil)
      #expect(Self.tokens(server) == ["Bearer old", "Bearer new"])
      #expect(refreshCount.current == 1)
    }

    /// The subscription is refused, and not the connection: by an `error`, or by the first `next`.
    @Test(arguments: [("new", [7]), ("other", [])], ["error", "next"])
    func aTokenThatIsRefusedByAMessageIsRefreshedOnce(
      _ outcome: (valid: String, ticks: [Int]), type: String
    ) async throws {
      let (valid, expected) = outcome
      let refusal = #"[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]"#
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let id = peer.subscription() {
          if peer.request.headers["authorization"] == "Bearer \(valid)" {
            peer.tick(7, for: id)
            peer.complete(id)
          } else {
            let payload = type == "error" ? refusal : #"{"errors":\#(refusal)}"#
            peer.send(#"{"id":"\#(id)","type":"\#(type)","payload":\#(payload)}"#)
            if type == "next" { peer.complete(id) }
          }
        }
      }
      let refreshCount = Box(0)
      let refresher = Graph.TokenRefresher(token: "old") {
        refreshCount.update { $0 += 1 }
        return "new"
      }
      let client = SubscriptionSocketTests.client(server, interceptors: [refresher])
      let (ticks, error) = await SubscriptionSocketTests.collect(
        SubscriptionSocketTests.ticks(client))
      // The second refusal of a `next` is delivered.
      #expect(ticks == (expected.isEmpty && type == "next" ? [-1] : expected))
      #expect(error?.code == (expected.isEmpty && type == "error" ? .responseErrors : nil))
      #expect(refreshCount.current == 1)
      #expect(Self.tokens(server) == ["Bearer old", "Bearer new"])
    }

    /// The connection is opened again with the former token, which has expired meanwhile.
    @Test(arguments: ["error", "next"])
    func aTokenThatIsRefusedAfterAReconnectionIsRefreshed(type: String) async throws {
      let refusal = #"[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]"#
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        guard let id = peer.subscription() else { return }
        switch number {
        case 0:
          peer.tick(0, for: id)
          peer.drop()
        case 1:
          let payload = type == "error" ? refusal : #"{"errors":\#(refusal)}"#
          peer.send(#"{"id":"\#(id)","type":"\#(type)","payload":\#(payload)}"#)
          peer.waitForEnd()
        default:
          peer.tick(number, for: id)
          peer.complete(id)
          peer.waitForEnd()
        }
      }
      let refresher = Graph.TokenRefresher(token: "old") { "new" }
      let time = HeldTime()
      let client = SubscriptionSocketTests.client(server, time: time, interceptors: [refresher])
      async let result = SubscriptionSocketTests.collect(SubscriptionSocketTests.ticks(client))
      try await time.pass(.milliseconds(500))
      let (ticks, error) = await result
      // The first event may be lost with the connection that was reset.
      #expect(ticks.last == 2 && error == nil)
      #expect(Self.tokens(server) == ["Bearer old", "Bearer old", "Bearer new"])
    }

    @Test func releasedClientClosesItsIdleConnection() async throws {
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        while let id = peer.subscription() { Self.respond("Boots", to: id, peer) }
        isOver.open()
      }
      var client: Graph.Client? = Self.client(server, Box("a"), carriesQueries: true)
      weak let released = client
      _ = try await client?.query(shopQuery())
      client = nil
      await isOver.wait()
      try await wait { released == nil }
    }
  }
#endif
