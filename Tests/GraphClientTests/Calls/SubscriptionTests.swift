import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

struct SubscriptionTests {
  private func stream(
    _ text: String, type: String = "text/event-stream"
  ) -> Graph.HTTPResponse {
    .json(text, type: type)
  }

  private func tick(_ value: Int) -> String {
    "event: next\ndata: {\"data\":{\"tick\":\(value)}}\n\n"
  }

  private func ticks(
    _ client: Graph.Client, over form: Graph.SubscriptionProtocol = .serverSentEvents
  ) async throws -> [Int?] {
    var ticks: [Int?] = []
    for try await event in client.subscribe(Store.buildSubscription { $0.tick() }, over: form) {
      ticks.append(event.data?.tick)
    }
    return ticks
  }

  @Test func receivesServerSentEvents() async throws {
    let transport = ScriptedTransport(
      stream(": hello\n\n" + tick(1) + tick(2) + "event: complete\ndata:\n\n" + tick(3)))
    #expect(try await ticks(.test(transport, headers: ["X-Token": "t"])) == [1, 2])
    let request = try #require(transport.requests.first)
    #expect(request.headers["Accept"] == "text/event-stream")
    #expect(request.headers["X-Token"] == "t")
    #expect(request.allowsStreaming)
  }

  @Test func receivesMultipartEvents() async throws {
    let body =
      "--graphql\r\nContent-Type: application/json\r\n\r\n{}\r\n"
      + "--graphql\r\nContent-Type: application/json\r\n\r\n{\"payload\":{\"data\":{\"tick\":1}}}\r\n"
      + "--graphql\r\nContent-Type: application/json\r\n\r\n{\"payload\":{\"data\":{\"tick\":2}}}\r\n"
      + "--graphql\r\n--graphql--\r\n"
    let transport = ScriptedTransport(
      stream(body, type: "multipart/mixed; boundary=\"graphql\"; subscriptionSpec=1.0"))
    #expect(try await ticks(.test(transport), over: .multipart) == [1, 2])
  }

  @Test func eventsIncludeTheirErrors() async throws {
    let transport = ScriptedTransport(
      stream("event: next\ndata: {\"errors\":[{\"message\":\"no\"}]}\n\nevent: complete\n\n"))
    var events: [Graph.Response<Store.Subscription>] = []
    for try await event in Graph.Client.test(transport).subscribe(
      Store.buildSubscription { $0.tick() })
    {
      events.append(event)
    }
    #expect(events.count == 1 && events.first?.errors.first?.message == "no")
  }

  private static let refusal =
    #"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#

  /// A stream has the status 200, so that the server can only refuse the token in the first event.
  @Test(arguments: [
    (
      Graph.SubscriptionProtocol.serverSentEvents, "text/event-stream",
      "id: 5\nevent: next\ndata: \(refusal)\n\nevent: complete\n\n"
    ),
    (
      .multipart, "multipart/mixed;boundary=graphql",
      "--graphql\r\n\r\n{\"payload\":\(refusal)}\r\n--graphql--"
    ),
    (
      .multipart, "multipart/mixed;boundary=graphql",
      "--graphql\r\n\r\n{\"payload\":null,\(refusal.dropFirst())\r\n--graphql--"
    ),
  ])
  func aTokenThatIsRefusedInTheFirstEventIsRefreshedOnce(
    form: Graph.SubscriptionProtocol, type: String, refused: String
  ) async throws {
    for isAccepted in [true, false] {
      let count = Box(0)
      let refresher = Graph.TokenRefresher(token: "old") {
        count.update { $0 += 1 }
        return "new"
      }
      let accepted = stream(tick(1) + "event: complete\n\n")
      let transport = ScriptedTransport(
        stream(refused, type: type), isAccepted ? accepted : stream(refused, type: type))
      let client = Graph.Client.test(transport, interceptors: [refresher])
      var events: [Graph.Response<Store.Subscription>] = []
      var error: Graph.QueryError?
      do {
        for try await event in client.subscribe(Store.buildSubscription { $0.tick() }, over: form) {
          events.append(event)
        }
      } catch let failure {
        error = failure
      }
      #expect(
        transport.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
      #expect(transport.requests.allSatisfy { $0.headers["Last-Event-ID"] == nil })
      #expect(count.current == 1)
      if isAccepted {
        #expect(events.map { $0.data?.tick } == [1] && error == nil)
      } else {
        #expect((events.first?.errors ?? error?.errors)?.first?.code == "UNAUTHENTICATED")
      }
    }
  }

  /// Creates tokens t1, t2 and so on, after `old`.
  private func refresher(_ count: Box<Int>) -> Graph.TokenRefresher {
    Graph.TokenRefresher(token: "old") {
      "t\(count.update { $0 += 1; return $0 })"
    }
  }

  /// Responds with the streams of these tokens, and 401 to others.
  private func server(_ streams: [String: String]) -> ScriptedTransport {
    ScriptedTransport { request in
      let token = request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? ""
      guard let text = streams[String(token)] else { return .json("", status: 401, type: nil) }
      return .json(text, type: "text/event-stream")
    }
  }

  private static let refusedEvent = "event: next\ndata: \(refusal)\n\nevent: complete\n\n"

  /// The interceptor has replaced the token of the prepared request.
  @Test func theTokenThatWasSentIsRefused() async throws {
    let count = Box(0)
    let transport = server(["t1": Self.refusedEvent, "t2": tick(1) + "event: complete\n\n"])
    #expect(try await ticks(.test(transport, interceptors: [refresher(count)])) == [1])
    #expect(
      transport.requests.map { $0.headers["Authorization"] }
        == ["Bearer old", "Bearer t1", "Bearer t2"])
    #expect(count.current == 2)
  }

  /// A connection that was accepted and lost, without an event in between, ends the renewal.
  @Test func aQuietSubscriptionRenewsEachToken() async throws {
    let count = Box(0)
    let time = ManualTime()
    let uses = Box(0)
    let (refused, keepAlive) = (Self.refusedEvent, ": nothing yet\n\n")
    let done = tick(1) + "event: complete\n\n"
    let transport = ScriptedTransport { request in
      let text =
        switch request.headers["Authorization"] {
        case "Bearer old": refused
        case "Bearer t1":
          uses.update {
            $0 += 1; return $0
          } == 1 ? keepAlive : refused
        default: done
        }
      return .json(text, type: "text/event-stream")
    }
    let client = Graph.Client.test(
      transport, interceptors: [refresher(count)], time: time)
    #expect(try await ticks(client) == [1])
    #expect(
      transport.requests.map { $0.headers["Authorization"] }
        == ["Bearer old", "Bearer t1", "Bearer t1", "Bearer t2"])
  }

  private struct NoToken: Error {}

  @Test func aRefusedEventIsDeliveredIfThereIsNoOtherToken() async throws {
    let refresher = Graph.TokenRefresher(token: "old") { throw NoToken() }
    let transport = server(["old": Self.refusedEvent])
    #expect(try await ticks(.test(transport, interceptors: [refresher])) == [nil])
    #expect(transport.requests.count == 1)
  }

  @Test func cancellationEndsTheWaitForAToken() async throws {
    let hanging = Hanging()
    let refresher = Graph.TokenRefresher(token: "old") {
      await hanging.hang()
      return "t1"
    }
    let client = Graph.Client.test(
      server(["old": Self.refusedEvent]), interceptors: [refresher])
    let task = Task { try await ticks(client) }
    try await wait { hanging.count == 1 }
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    hanging.release()
  }

  /// The token was valid when the stream began.
  @Test func aLaterEventThatRefusesTheTokenIsDelivered() async throws {
    let refresher = Graph.TokenRefresher(token: "old") { "new" }
    let transport = ScriptedTransport(
      stream(tick(1) + "event: next\ndata: \(Self.refusal)\n\nevent: complete\n\n"))
    #expect(try await ticks(.test(transport, interceptors: [refresher])) == [1, nil])
    #expect(transport.requests.count == 1)
  }

  @Test func multipartTransportErrorsEndTheSubscription() async throws {
    let body =
      "--graphql\r\n\r\n{\"payload\":null,\"errors\":[{\"message\":\"gone\"}]}\r\n--graphql--"
    let transport = ScriptedTransport(stream(body, type: "multipart/mixed;boundary=graphql"))
    let error = await #expect(throws: Graph.QueryError.self) {
      try await ticks(.test(transport), over: .multipart)
    }
    #expect(error?.errors.first?.message == "gone")
  }

  @Test func reconnectsWithANewTokenAfterALostConnection() async throws {
    let tokens = Box(0)
    let time = ManualTime()
    let transport = ScriptedTransport(
      stream("id: 9\n" + tick(1)), stream(tick(2) + "event: complete\n\n"))
    let provider: Graph.Client.HeaderProvider = {
      let count = tokens.update {
        $0 += 1
        return $0
      }
      return ["X-Token": "token \(count)"]
    }
    let client = Graph.Client.test(transport, source: .provider(provider), time: time)
    #expect(try await ticks(client) == [1, 2])
    #expect(transport.requests.map { $0.headers["X-Token"] } == ["token 1", "token 2"])
    #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "9"])
    #expect(time.sleeps == [.seconds(0.5)])
  }

  @Test func reconnectsAfterTheIdleTimeout() async throws {
    let time = HeldTime()
    let count = Box(0)
    let transport = ScriptedTransport { [tick] _ in
      let number = count.update { count in
        count += 1
        return count
      }
      guard number == 1 else {
        return .json(tick(2) + "event: complete\n\n", type: "text/event-stream")
      }
      let (chunks, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      continuation.yield(Array(tick(1).utf8))
      return Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"], url: .endpoint,
        body: .init(chunks))
    }
    let client = Graph.Client.test(transport, time: time) { $0.streamTimeout = .seconds(30) }
    let isThere = Latch()
    let task = Task {
      var ticks: [Int?] = []
      for try await event in client.subscribe(Store.buildSubscription { $0.tick() }) {
        ticks.append(event.data?.tick)
        isThere.open()
      }
      return ticks
    }
    await isThere.wait()
    try await time.runAction(after: .seconds(30))
    try await time.pass(.milliseconds(500))
    #expect(try await task.value == [1, 2])
  }

  @Test func reconnectingBacksOffUntilTheAttemptsAreUsedUp() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport { _ in
      throw Graph.TransportError(.cannotConnect, message: "nothing there")
    }
    await #expect(throws: Graph.QueryError.self) { try await ticks(.test(transport, time: time)) }
    #expect(time.sleeps == [.seconds(0.5), .seconds(1), .seconds(2)])
    #expect(transport.requests.count == 4)
  }

  /// The random addition does not grow with the number of failures.
  @Test func reconnectingUsesTheDelayRequestedByTheServer() async throws {
    let time = ManualTime()
    let busy = Graph.HTTPResponse.json("", status: 429, type: nil, headers: ["Retry-After": "7"])
    let transport = ScriptedTransport(busy, busy, stream(tick(1) + "event: complete\n\n"))
    #expect(try await ticks(.test(transport, time: time)) == [1])
    #expect(time.sleeps == [.seconds(7.5), .seconds(7.5)])
  }

  @Test func errorStatusEndsTheSubscription() async throws {
    let transport = ScriptedTransport(.json("no", status: 404, type: "text/plain"))
    let error = await #expect(throws: Graph.QueryError.self) { try await ticks(.test(transport)) }
    #expect(error?.code == .status && error?.response?.status == 404)
    #expect(transport.requests.count == 1)
  }

  @Test func singleResponseIsDeliveredAsOneEvent() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"tick":5}}"#))
    #expect(try await ticks(.test(transport)) == [5])
  }

  @Test func refusedTokenIsRefreshed() async throws {
    let transport = ScriptedTransport { [tick] request in
      request.headers["Authorization"] == "Bearer new"
        ? .json(tick(1) + "event: complete\n\n", type: "text/event-stream")
        : .json("", status: 401, type: nil)
    }
    let client = Graph.Client.test(
      transport, interceptors: [Graph.TokenRefresher(token: "old") { "new" }])
    #expect(try await ticks(client) == [1])
  }

  @Test func cancellingTheTaskEndsTheSubscription() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { [tick] _ in
      let (chunks, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      continuation.yield(Array(tick(1).utf8))
      return Graph.HTTPResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"], url: .endpoint,
        body: .init(chunks))
    }
    let client = Graph.Client.test(transport)
    let task = Task {
      for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) {
        arrived.yield()
      }
    }
    for await _ in arrivals { break }
    task.cancel()
    _ = await task.result
  }

  @Test func anInvalidSelectionIsReportedWhenIterated() async throws {
    let transport = ScriptedTransport(.shop)
    let subscription = Graph.Client.test(transport).subscribe(Store.buildSubscription { _ in })
    var iterator = subscription.makeAsyncIterator()
    await #expect(throws: Graph.QueryError.self) { try await iterator.next(isolation: nil) }
    #expect(transport.requests.isEmpty)
  }

  /// The rest of the events. The iterator is a copy of the caller's.
  private func ticks(
    after iterator: Graph.Subscription<Store.Subscription>.Iterator
  ) async throws -> [Int?] {
    var iterator = iterator
    var ticks: [Int?] = []
    while let event = try await iterator.next(isolation: nil) { ticks.append(event.data?.tick) }
    return ticks
  }

  @Test func copiesOfAnIteratorDoNotShareTheirPosition() async throws {
    let transport = ScriptedTransport(stream(tick(1) + tick(2) + "event: complete\n\n"))
    let client = Graph.Client.test(transport)
    var iterator = client.subscribe(Store.buildSubscription { $0.tick() }).makeAsyncIterator()
    let atTheBeginning = iterator
    #expect(try await iterator.next(isolation: nil)?.data?.tick == 1)
    #expect(try await ticks(after: iterator) == [2])
    #expect(try await ticks(after: iterator) == [2])
    #expect(transport.requests.count == 1)
    #expect(try await ticks(after: atTheBeginning) == [1, 2])
    #expect(transport.requests.count == 2)
  }
}
