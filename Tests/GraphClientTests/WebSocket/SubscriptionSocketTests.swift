#if !canImport(Darwin)
  import Foundation
  import GraphJSON
  import GraphQLRuntime
  import Loopback
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  /// The protocol `graphql-transport-ws` over real connections to a scripted server.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct SubscriptionSocketTests {
    static func client(
      _ server: LoopbackServer, time: any Graph.TimeSource = HeldTime(), attempts: Int = 4,
      headers: @escaping Graph.Client.HeaderProvider = { [:] },
      interceptors: [any Graph.Interceptor] = [],
      maximumResponseBytes: Int = Graph.defaultMaximumResponseBytes,
      configure: (inout Graph.WebSocketSettings) -> Void = { _ in }
    ) -> Graph.Client {
      var configuration = Graph.ClientConfiguration()
      configuration.storage = Graph.MemoryStorage()
      configuration.retryPolicy.maximumAttempts = attempts
      configuration.maximumResponseBytes = maximumResponseBytes
      configuration.webSocket.connectTimeout = nil
      configuration.webSocket.pingInterval = nil
      configuration.webSocket.transport = Graph.CurlWebSocketTransport(
        transport: .shared, maximumMessageBytes: 1 << 16, time: time)
      configure(&configuration.webSocket)
      return Graph.Client(
        endpoint: server.url(), headers: .provider(headers), transport: ScriptedTransport(.shop),
        cachePolicy: .networkOnly, interceptors: interceptors, configuration: configuration,
        throttle: Graph.HostThrottle(), time: time)
    }

    static func ticks(
      _ client: Graph.Client, from: Int = 0
    ) -> Graph.Subscription<Store.Subscription> {
      client.subscribe(Store.buildSubscription { $0.tick(from: from) }, over: .webSocket)
    }

    /// The ticks until the end, and the reason for the end.
    static func collect(
      _ events: Graph.Subscription<Store.Subscription>
    ) async -> (ticks: [Int], error: Graph.QueryError?) {
      var ticks: [Int] = []
      do {
        for try await event in events { ticks.append(event.data?.tick ?? -1) }
        return (ticks, nil)
      } catch {
        return (ticks, error)
      }
    }

    @Test func deliversEventsFromSubscribeToComplete() async throws {
      let seen = Box<[JSON]>([])
      let server = try LoopbackServer.webSocket { peer, _ in
        let payload = peer.acknowledge()
        let subscribe = peer.message()
        seen.update { $0 = [payload ?? .null, subscribe ?? .null] }
        guard case .string(let id)? = subscribe?["id"] else { return }
        for number in 1...3 { peer.tick(number, for: id) }
        peer.complete(id)
        peer.waitForEnd()
      }
      let client = Self.client(
        server, headers: { ["X-Token": "t"] },
        configure: {
          $0.connectionPayload = { headers in ["token": .string(headers["X-Token"] ?? "")] }
        })
      let (ticks, error) = await Self.collect(Self.ticks(client))
      #expect(ticks == [1, 2, 3] && error == nil)
      #expect(seen.current[0] == ["token": "t"])
      let subscribe = seen.current[1]
      #expect(subscribe["type"] == "subscribe" && subscribe["payload"]?["query"] != nil)
      let request = try #require(server.requests.first)
      #expect(request.headers["x-token"] == "t")
      #expect(request.headers["sec-websocket-protocol"] == "graphql-transport-ws")
    }

    @Test func severalSubscriptionsShareOneConnection() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let first = peer.subscription()
        let second = peer.subscription()
        peer.tick(1, for: first)
        peer.tick(10, for: second)
        peer.tick(2, for: first)
        peer.complete(first)
        peer.tick(20, for: second)
        peer.complete(second)
        peer.waitForEnd()
      }
      let client = Self.client(server)
      async let one = Self.collect(Self.ticks(client, from: 1))
      async let other = Self.collect(Self.ticks(client, from: 2))
      let both = await [one.ticks, other.ticks].sorted { $0[0] < $1[0] }
      #expect(both == [[1, 2], [10, 20]])
      #expect(server.requests.count == 1)
    }

    @Test func respondsToServerPings() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        _ = peer.message(ofType: "connection_init")
        peer.send(#"{"type":"ping","payload":{"a":1}}"#)
        guard peer.message()?["type"] == "pong" else { return }
        peer.send(#"{"type":"connection_ack","payload":{}}"#)
        let id = peer.subscription()
        peer.send(#"{"type":"ping"}"#)
        guard peer.message()?["type"] == "pong" else { return }
        peer.tick(1, for: id)
        peer.complete(id)
        peer.waitForEnd()
      }
      #expect(await Self.collect(Self.ticks(Self.client(server))).ticks == [1])
    }

    @Test func missingAcknowledgementTimesOut() async throws {
      let code = Box<Int?>(nil)
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        _ = peer.message(ofType: "connection_init")
        let frame = peer.frame()
        code.update { $0 = frame?.code }
        isOver.open()
      }
      let time = HeldTime()
      let client = Self.client(server, time: time, attempts: 1)
      async let result = Self.collect(Self.ticks(client))
      try await time.pass(.seconds(10))
      let cause = try #require(await result.error?.transportError)
      #expect(cause.code == .timedOut)
      await isOver.wait()
      #expect(code.current == 4504)
    }

    @Test(arguments: [4401, 4403] as [UInt16])
    func authenticationCloseCodesThrowUnauthenticated(code: UInt16) async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        _ = peer.message(ofType: "connection_init")
        peer.close(code, "who?")
        peer.waitForEnd()
      }
      let (_, error) = await Self.collect(Self.ticks(Self.client(server)))
      #expect(error?.code == .unauthenticated)
      #expect((error?.cause as? Graph.WebSocketClosure)?.code == code)
      #expect(server.requests.count == 1)
    }

    @Test func closingBeforeTheAcknowledgementIsPartOfTheMessage() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        _ = peer.message(ofType: "connection_init")
        peer.close(1000)
        peer.waitForEnd()
      }
      let time = HeldTime()
      let (_, error) = await Self.collect(Self.ticks(Self.client(server, time: time, attempts: 1)))
      #expect(
        error?.transportError?.message
          == "the server closed the connection with close code 1000 before connection_ack")
    }

    @Test(arguments: [4400, 4406, 4409, 4429, 1002, 1007, 1009] as [UInt16])
    func protocolErrorCloseCodesEndTheSubscription(code: UInt16) async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        peer.close(code)
        peer.waitForEnd()
      }
      let (_, error) = await Self.collect(Self.ticks(Self.client(server)))
      #expect(error?.code == .protocolViolation && error?.message.contains("\(code)") == true)
    }

    @Test func reconnectsWithANewTokenAfterALostConnection() async throws {
      let tokens = Box<[String]>([])
      let server = try LoopbackServer.webSocket { peer, number in
        let payload = peer.acknowledge()
        tokens.update { $0.append("\(payload?["token"] ?? .null)") }
        let ids = [peer.subscription(), peer.subscription()]
        for id in ids { peer.tick(number, for: id) }
        guard number == 1 else { return peer.drop() }
        for id in ids { peer.complete(id) }
        peer.waitForEnd()
      }
      let time = HeldTime()
      let count = Box(0)
      let client = Self.client(
        server, time: time,
        configure: {
          $0.connectionPayload = { _ in
            let number = count.update { count in
              count += 1
              return count
            }
            return ["token": .string("t\(number)")]
          }
        })
      async let one = Self.collect(Self.ticks(client, from: 1))
      async let other = Self.collect(Self.ticks(client, from: 2))
      try await time.pass(.milliseconds(500))
      let both = await [one.ticks, other.ticks]
      // The first tick may be lost with the connection that was reset.
      #expect(both.allSatisfy { $0.last == 1 })
      #expect(tokens.current == ["\(JSON.string("t1"))", "\(JSON.string("t2"))"])
    }

    private struct Repeating: Graph.Interceptor {
      func intercept(
        _ request: Graph.OperationRequest, next: Next
      ) async throws -> Graph.OperationResponse {
        _ = try await next(request)
        return try await next(request)
      }
    }

    @Test func connectionOfARepeatedRequestReplacesTheFirst() async throws {
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        guard number > 0, let id = peer.subscription() else { return peer.waitForEnd() }
        peer.tick(1, for: id)
        peer.complete(id)
        peer.waitForEnd()
      }
      let client = Self.client(server, interceptors: [Repeating()])
      let (ticks, error) = await Self.collect(Self.ticks(client))
      #expect(ticks == [1] && error == nil)
      #expect(server.requests.count == 2)
    }

    private struct Responding: Graph.Interceptor {
      func intercept(
        _ request: Graph.OperationRequest, next: Next
      ) async throws -> Graph.OperationResponse {
        Graph.OperationResponse(status: 200, headers: [:], content: .none, bytes: [])
      }
    }

    @Test func responseOfAnInterceptorOpensNoConnection() async throws {
      let server = try LoopbackServer.webSocket { _, _ in }
      let client = Self.client(server, interceptors: [Responding()])
      let (ticks, error) = await Self.collect(Self.ticks(client))
      #expect(ticks.isEmpty && error?.code == .protocolViolation)
      #expect(server.requests.isEmpty)
    }

    @Test func mutationIsNotRetriedAfterTheConnectionCloses() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        peer.close(1012)
        peer.waitForEnd()
      }
      let client = Self.client(server)
      let stream = try client.stream(
        Graph.OperationRequest(try renameMutation().operation()), over: Graph.WebSocketSettings())
      await #expect(throws: Graph.QueryError.self) { try await stream.next() }
      #expect(server.requests.count == 1)
    }

    @Test func delaysGrowUntilTheAttemptsAreUsedUp() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        peer.close(1012)
      }
      let time = HeldTime()
      let client = Self.client(server, time: time)
      async let result = Self.collect(Self.ticks(client))
      for delay in [500, 1000, 2000] { try await time.pass(.milliseconds(delay)) }
      let cause = try #require(await result.error?.transportError)
      #expect(cause.code == .connectionLost)
      #expect(server.requests.count == 4)
    }

    @Test func aTokenThatExpiresIsReplacedOnce() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        peer.close(4401)
        peer.waitForEnd()
      }
      let time = HeldTime()
      let client = Self.client(server, time: time)
      async let result = Self.collect(Self.ticks(client))
      try await time.pass(.zero)
      let error = await result.error
      #expect(error?.code == .unauthenticated && server.requests.count == 2)
    }

    /// An event before each refusal must not lead to connections without a pause.
    @Test(arguments: [4401, 4403] as [UInt16])
    func tokenIsReplacedOnceAlsoAfterEvents(code: UInt16) async throws {
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        peer.tick(number, for: peer.subscription())
        peer.close(code)
        peer.waitForEnd()
      }
      let time = HeldTime()
      let client = Self.client(server, time: time)
      async let result = Self.collect(Self.ticks(client))
      try await time.pass(.zero)
      let (ticks, error) = await result
      #expect(ticks == [0, 1] && error?.code == .unauthenticated)
      #expect(server.requests.count == 2)
    }

    /// Tokens that expire from time to time are replaced each time.
    @Test func tokenIsReplacedAfterEachConnectionThatLasted() async throws {
      let hasLasted = DispatchSemaphore(value: 0)
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        let id = peer.subscription()
        peer.tick(number, for: id)
        if number == 3 { return peer.complete(id) }
        hasLasted.wait()
        peer.close(4401)
        peer.waitForEnd()
      }
      let time = HeldTime()
      var events = Self.ticks(Self.client(server, time: time)).makeAsyncIterator()
      for number: Int in 0...3 {
        async let hasPassed: Void = number > 0 ? time.pass(.zero) : ()
        #expect(try await events.next()?.data?.tick == number)
        try await hasPassed
        time.advance(by: .seconds(31))
        hasLasted.signal()
      }
      #expect(try await events.next() == nil)
    }

    /// Other operations of the connection must not wait for a slow reader.
    @Test func tooManyUnreadBytesEndTheirSubscriptionOnly() async throws {
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let slow = peer.subscription()
        peer.tick(0, for: slow)
        let other = peer.subscription()
        for number in 1...3 { peer.tick(number, for: slow) }
        let complete = peer.message(ofType: "complete")
        #expect(complete?["id"] == slow.map { .string($0) })
        isOver.open()
        peer.tick(7, for: other)
        peer.complete(other)
        peer.waitForEnd()
      }
      // An event has 19 bytes.
      let client = Self.client(server, maximumResponseBytes: 40)
      var slow = Self.ticks(client, from: 1).makeAsyncIterator()
      #expect(try await slow.next()?.data?.tick == 0)
      #expect(await Self.collect(Self.ticks(client, from: 2)).ticks == [7])
      await isOver.wait()
      for number: Int in 1...3 { #expect(try await slow.next()?.data?.tick == number) }
      let error = await #expect(throws: Graph.QueryError.self) { try await slow.next() }
      #expect(error?.transportError?.code == .tooLarge)
    }

    /// A response has data or errors; only streams over HTTP have empty events as keep-alives.
    @Test(arguments: ["{}", #"{"payload":null}"#])
    func eventWithoutDataAndErrorsIsMalformed(payload: String) async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let id = peer.subscription() ?? ""
        peer.send(#"{"id":"\#(id)","type":"next","payload":\#(payload)}"#)
        peer.waitForEnd()
      }
      let (ticks, error) = await Self.collect(Self.ticks(Self.client(server)))
      #expect(ticks.isEmpty && error?.code == .malformedResponse)
    }

    @Test func errorsEndTheirSubscriptionOnly() async throws {
      let isFirstThere = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let first = peer.subscription() ?? ""
        isFirstThere.open()
        let second = peer.subscription()
        peer.send(
          #"{"id":"\#(first)","type":"error","payload":[{"message":"no","path":["tick"]}]}"#)
        peer.tick(5, for: second)
        peer.complete(second)
        peer.waitForEnd()
      }
      let client = Self.client(server)
      async let refused = Self.collect(Self.ticks(client, from: 1))
      await isFirstThere.wait()
      #expect(await Self.collect(Self.ticks(client, from: 2)).ticks == [5])
      let error = try #require(await refused.error)
      #expect(error.code == .responseErrors && error.errors.first?.message == "no")
      #expect(error.errors.first?.path == [.key("tick")])
    }

    @Test(arguments: [
      "{", "[]", #"{"type":"nonsense"}"#, #"{"type":"next","id":"1"}"#,
      #"{"type":"next","payload":{}}"#, #"{"type":"error","id":"1","payload":{}}"#,
      #"{"type":"connection_ack"}"#,
    ])
    func malformedMessagesAreProtocolViolations(text: String) async throws {
      let code = Box<Int?>(nil)
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        peer.send(text)
        var frame = peer.frame()
        while let next = frame, next.opcode != 8 { frame = peer.frame() }
        code.update { $0 = frame?.code }
        isOver.open()
      }
      let (_, error) = await Self.collect(Self.ticks(Self.client(server)))
      #expect(error?.code == .protocolViolation)
      await isOver.wait()
      #expect(code.current == 4400)
    }

    @Test(arguments: [
      (Peer.frame(0x83, []), Graph.TransportError.Code.invalidResponse),
      ([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0], .tooLarge),
    ])
    func invalidFramesEndTheSubscription(
      bytes: [UInt8], expected: Graph.TransportError.Code
    ) async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        peer.write(bytes)
        peer.waitForEnd()
      }
      let (_, error) = await Self.collect(Self.ticks(Self.client(server)))
      let cause = try #require(error?.transportError)
      #expect(cause.code == expected && cause.underlying is Graph.FrameError)
    }

    @Test func reconnectsAfterAMissingPong() async throws {
      let server = try LoopbackServer.webSocket { peer, number in
        peer.acknowledge()
        let id = peer.subscription()
        if number == 0 {
          _ = peer.message(ofType: "ping")
          peer.send(#"{"type":"pong"}"#)
          peer.tick(1, for: id)
          // The second ping gets no response.
          peer.waitForEnd()
        } else {
          peer.tick(2, for: id)
          peer.complete(id)
          peer.waitForEnd()
        }
      }
      let time = HeldTime()
      let client = Self.client(
        server, time: time,
        configure: {
          $0.pingInterval = .seconds(20)
          $0.pongTimeout = .seconds(5)
        })
      var events = Self.ticks(client).makeAsyncIterator()
      // Subscribing opens the connection.
      async let hasPassed: Void = time.pass(.seconds(20))
      #expect(try await events.next()?.data?.tick == 1)
      try await hasPassed
      // The pong arrived before the tick.
      try await time.pass(.seconds(5))
      try await time.pass(.seconds(20))
      try await time.pass(.seconds(5))
      try await time.pass(.milliseconds(500))
      #expect(try await events.next()?.data?.tick == 2)
      #expect(try await events.next() == nil)
    }

    @Test func stoppingASubscriptionSendsCompleteAndKeepsOtherSubscriptions() async throws {
      let seen = Box<[String]>([])
      let isShared = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        let first = peer.subscription()
        peer.tick(1, for: first)
        let second = peer.subscription()
        isShared.open()
        let complete = peer.message(ofType: "complete")
        seen.update { $0 = [first ?? "", "\(complete?["id"] ?? .null)"] }
        // Messages that were in transit when the client stopped are skipped.
        peer.tick(2, for: first)
        peer.tick(3, for: second)
        peer.complete(second)
        peer.waitForEnd()
      }
      let client = Self.client(server)
      var first: Graph.Subscription<Store.Subscription>.Iterator? =
        Self.ticks(client, from: 1).makeAsyncIterator()
      #expect(try await first?.next()?.data?.tick == 1)
      async let others = Self.collect(Self.ticks(client, from: 2))
      await isShared.wait()
      first = nil
      #expect(await others.ticks == [3])
      #expect(seen.current.count == 2 && seen.current[1].contains(seen.current[0]))
    }

    @Test func cancellingEndsTheSubscriptionAndTheConnection() async throws {
      let isSubscribed = Latch()
      let end = Box<[String]>([])
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.acknowledge()
        _ = peer.subscription()
        isSubscribed.open()
        let complete = peer.message()
        let close = peer.frame()
        end.update { $0 = ["\(complete?["type"] ?? .null)", "\(close?.code ?? 0)"] }
        isOver.open()
      }
      let client = Self.client(server)
      let task = Task { await Self.collect(Self.ticks(client)) }
      await isSubscribed.wait()
      task.cancel()
      let error = await task.value.error
      #expect(error?.code == .cancelled)
      await isOver.wait()
      #expect(end.current == ["\(JSON.string("complete"))", "1000"])
    }
  }
#endif
