import Foundation
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient

/// The steps that an observer receives.
struct ObserverTests {
  private let observer = RecordingObserver()

  private func client(
    _ transport: any Graph.Transport, cachePolicy: Graph.CachePolicy = .networkOnly,
    interceptors: [any Graph.Interceptor] = [], time: any Graph.TimeSource = ManualTime(),
    _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) -> Graph.Client {
    .test(transport, cachePolicy: cachePolicy, interceptors: interceptors, time: time) {
      $0.observers = [observer]
      configure(&$0)
    }
  }

  @Test func aQuery() async throws {
    let client = client(ScriptedTransport(.shop))
    _ = try await client.query(Store.buildQuery(named: "Shop") { $0.shop { $0.name() } })
    #expect(
      observer.steps == [
        "began", "exchange 200", "read 34", "attempt 1 200 -", "delivered new", "ended",
      ])
    let call = try #require(observer.events.first?.call)
    #expect(observer.events.allSatisfy { $0.call == call })
    #expect(call.operationName == "Shop" && call.kind == .query)
    #expect(call.endpoint == "https://shop.example:443/graphql" && call.trace == nil)
  }

  @Test func sizes() async throws {
    let transport = ScriptedTransport(.shop)
    _ = try await client(transport).query(shopQuery())
    let exchanges = observer.events.compactMap {
      if case .exchange(let exchange) = $0.step { exchange } else { nil }
    }
    guard case .bytes(let body) = transport.requests[0].body else {
      Issue.record("no body")
      return
    }
    #expect(
      exchanges == [Graph.ObservedExchange(status: 200, sentBytes: body.count, receivedBytes: 34)])
  }

  @Test func theCache() async throws {
    let time = ManualTime()
    let client = client(ScriptedTransport(.shop), cachePolicy: .cacheFirst, time: time)
    _ = try await client.query(shopQuery())
    #expect(
      observer.takeSteps() == [
        "began", "cacheRead notStored", "exchange 200", "read 34", "attempt 1 200 -",
        "stored cached", "delivered new", "ended",
      ])
    time.advance(by: .seconds(5))
    _ = try await client.query(shopQuery())
    #expect(
      observer.takeSteps() == [
        "began", "cacheRead hit 5.0 seconds", "delivered cached", "ended",
      ])
    _ = try await client.query(shopQuery(), cachePolicy: .cacheFirst(expireIn: 2))
    #expect(observer.takeSteps()[1] == "cacheRead tooOld")
  }

  @Test func unreadableAndFailingCaches() async throws {
    let storage = Graph.MemoryStorage()
    let transport = ScriptedTransport(.shop)
    let reader = client(transport, cachePolicy: .cacheFirst) { $0.storage = storage }
    _ = try await reader.query(shopQuery())
    guard case .bytes = transport.requests[0].body else { return }
    let broken = client(transport, cachePolicy: .cacheFirst) { $0.storage = Corrupting(storage) }
    _ = observer.takeSteps()
    _ = try await broken.query(shopQuery())
    #expect(observer.takeSteps()[1] == "cacheRead unreadable")
    let failing = client(transport, cachePolicy: .cacheFirst) { $0.storage = Failing() }
    _ = try await failing.query(shopQuery())
    let steps = observer.takeSteps()
    #expect(steps.contains("cacheRead failed") && steps.contains("stored failed"))
  }

  @Test func aStore() async throws {
    let store = try CatalogShop.store()
    var configuration = Graph.ClientConfiguration()
    configuration.observers = [observer]
    let client = Graph.Client(
      endpoint: .endpoint, transport: try CatalogShop(), cachePolicy: .cacheFirst, store: store,
      configuration: configuration)
    _ = try await client.query(CatalogShop.list)
    let first = observer.takeSteps()
    #expect(first.contains("cacheRead notStored") && first.contains("stored stored"))
    _ = try await client.query(CatalogShop.list)
    let second = observer.takeSteps()
    #expect(second[1].hasPrefix("cacheRead hit") && second.count == 4)
    _ = try await client.query(CatalogShop.list, cachePolicy: .cacheFirst(expireIn: 0))
    #expect(observer.takeSteps()[1] == "cacheRead tooOld")
  }

  @Test func retriesAndWaits() async throws {
    let unavailable = Graph.HTTPResponse.json(
      "busy", status: 503, type: "text/plain", headers: ["Retry-After": "7"])
    let throttled = Graph.HTTPResponse.json(
      #"{"errors":[{"message":"slow","extensions":{"code":"THROTTLED"}}]}"#)
    let attempts = Box(0)
    let client = client(
      ScriptedTransport { _ in
        switch attempts.update({
          $0 += 1; return $0
        }) {
        case 1: return unavailable
        case 2: return throttled
        case 3: throw Graph.TransportError(.connectionLost, message: "lost", bytesSent: true)
        default: return .shop
        }
      }, time: ManualTime(chance: 0))
    _ = try await client.query(shopQuery())
    #expect(
      observer.steps == [
        "began",
        "exchange 503", "attempt 1 503 status", "retry status(503) after 7.0 seconds",
        "waited serverPause",
        "exchange 200", "read 65", "attempt 2 200 - 1 errors", "retry throttled after 0.0 seconds",
        // The turns after a pause have intervals.
        "waited serverPause",
        "exchange 0", "attempt 3 0 transport", "retry connection after 0.0 seconds",
        "waited serverPause",
        "exchange 200", "read 34", "attempt 4 200 -", "delivered new", "ended",
      ])
    let wait = try #require(
      observer.events.first { if case .waited = $0.step { true } else { false } })
    #expect(wait.duration == .seconds(7))
    #expect(observer.events.last?.duration == .milliseconds(7040))
  }

  @Test func failures() async throws {
    let client = client(ScriptedTransport(.json("no", status: 404, type: "text/plain")))
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(
      observer.takeSteps() == ["began", "exchange 404", "attempt 1 404 status", "ended status"])
    await #expect(throws: Graph.QueryError.self) { try await client.mutate(renameMutation()) }
    #expect(observer.takeSteps().last == "ended status")
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), cachePolicy: .cacheOnly)
    }
    #expect(observer.takeSteps() == ["began", "cacheRead notStored", "ended cacheMiss"])
  }

  @Test func equalQueries() async throws {
    let latch = Latch()
    let client = client(
      ScriptedTransport { _ in
        await latch.wait()
        return .shop
      })
    async let first = client.query(shopQuery())
    async let second = client.query(shopQuery())
    try await wait { client.inFlight.callerCount == 2 }
    latch.open()
    _ = try await (first, second)
    #expect(observer.steps.filter { $0 == "exchange 200" }.count == 1)
    #expect(observer.steps.filter { $0 == "joined" }.count == 1)
    #expect(observer.steps.filter { $0 == "ended" }.count == 2)
  }

  @Test func operationsOfABatchShareAnExchange() async throws {
    let client = client(
      ScriptedTransport(
        .json(#"[{"data":{"shop":{"name":"A"}}},{"data":{"shop":{"name":"B"}}}]"#)),
      time: HeldTime()
    ) {
      $0.batching = Graph.BatchPolicy(window: .seconds(60), maximumCount: 2)
      $0.sharesEqualQueries = false
    }
    async let first = client.query(shopQuery())
    async let second = client.query(shopQuery())
    _ = try await (first, second)
    #expect(observer.steps.filter { $0.hasPrefix("exchange") } == ["exchange 200 of 2"])
    #expect(observer.steps.filter { $0 == "attempt 1 200 -" }.count == 2)
  }

  @Test func aSubscription() async throws {
    let attempts = Box(0)
    let tick = "event: next\ndata: {\"data\":{\"tick\":1}}\n\n"
    let client = client(
      ScriptedTransport { _ in
        attempts.update {
          $0 += 1; return $0
        } == 1
          ? .json(tick, type: "text/event-stream")
          : .json(tick + "event: complete\n\n", type: "text/event-stream")
      }, time: ManualTime(chance: 0))
    for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) {}
    let connection = ["exchange 200", "attempt 1 200 -", "opened http", "read 19", "delivered new"]
    #expect(
      observer.steps == ["began"] + connection
        + ["closed http transport", "retry connection after 0.0 seconds"] + connection
        + ["closed http -", "ended"])
  }

  @Test func aCallerThatStopsReading() async throws {
    let tick = "event: next\ndata: {\"data\":{\"tick\":1}}\n\n"
    let client = client(ScriptedTransport(.json(tick + tick, type: "text/event-stream")))
    for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) { break }
    #expect(observer.steps.suffix(2) == ["closed http -", "released"])
    _ = observer.takeSteps()
    // Nothing begins before the first response is requested.
    _ = client.responses(to: shopQuery()).makeAsyncIterator()
    #expect(observer.steps.isEmpty)
  }

  @Test func cancellation() async throws {
    let latch = Latch()
    let client = client(
      ScriptedTransport { _ in
        await latch.wait()
        try Task.checkCancellation()
        return .shop
      })
    let task = Task { try await client.query(shopQuery()) }
    try await wait { observer.steps.contains("began") }
    task.cancel()
    latch.open()
    await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(observer.steps.last == "ended cancelled")
  }

  /// The connection of a subscription that is cancelled is not lost: it was not needed any longer.
  @Test func aSubscriptionThatIsCancelled() async throws {
    let (body, open) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let client = client(
      ScriptedTransport { _ in
        Graph.HTTPResponse(
          status: 200, headers: ["Content-Type": "text/event-stream"], url: .endpoint,
          body: .init(body))
      })
    let task = Task {
      for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) {}
    }
    try await wait { observer.steps.contains("opened http") }
    task.cancel()
    _ = await task.result
    open.finish()
    #expect(observer.steps.suffix(2) == ["closed http -", "ended cancelled"])
  }

  /// The exchange of a batch belongs to a call that waits for it.
  @Test func aBatchWhoseFirstCallerHasLeft() async throws {
    let latch = Latch()
    let transport = ScriptedTransport { _ in
      await latch.wait()
      return .json(#"[{"data":{"shop":{"name":"A"}}},{"data":{"shop":{"name":"B"}}}]"#)
    }
    let client = client(transport, time: HeldTime()) {
      $0.batching = Graph.BatchPolicy(window: .seconds(60), maximumCount: 2)
      $0.sharesEqualQueries = false
    }
    let first = Task { try await client.query(shopQuery()) }
    try await wait { observer.steps.contains("began") }
    async let second = client.query(shopQuery())
    // The second call completes the batch, which is sent at once.
    try await wait { transport.requests.count == 1 }
    first.cancel()
    _ = await first.result
    latch.open()
    _ = try await second
    let ended = observer.events.filter { if case .ended = $0.step { true } else { false } }
    let exchanges = observer.events.filter { if case .exchange = $0.step { true } else { false } }
    #expect(ended.count == 2 && exchanges.count == 1)
    #expect(exchanges[0].call?.id == ended[1].call?.id)
  }

  /// An interceptor continues after its call has ended.
  @Test func theEndIsTheLastStep() async throws {
    let hanging = Hanging()
    let time = HeldTime()
    let sent = Box(0)
    let client = client(
      ScriptedTransport { _ in
        sent.update { $0 += 1 }
        return .shop
      }, interceptors: [HangingInterceptor(point: .after, hanging: hanging)], time: time)
    let task = Task { try await client.query(shopQuery(), timeout: .seconds(5)) }
    try await wait { hanging.count == 1 }
    task.cancel()
    _ = await task.result
    #expect(observer.steps.last == "ended cancelled")
    let count = observer.events.count
    hanging.release()
    #expect(observer.events.count == count && sent.current == 1)
  }

  @Test func aResponseThatIsTooLargeHasItsStatus() async throws {
    let client = client(ScriptedTransport(.shop)) { $0.maximumResponseBytes = 10 }
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(observer.steps[1] == "exchange 200")
  }

  /// The end of another call starts a prefetch, which is not part of that call's trace.
  @Test func aPrefetchHasTheTraceOfItsCaller() async throws {
    let latch = Latch()
    let client = client(
      ScriptedTransport { _ in
        await latch.wait()
        return .shop
      }, cachePolicy: .networkOnly
    ) { $0.prefetching.maximumOtherRequests = 0 }
    let (one, two) = (Graph.TraceContext.newTrace(), Graph.TraceContext.newTrace())
    let first = Graph.TraceContext.$current.withValue(one) {
      Task { try await client.query(shopQuery()) }
    }
    try await wait { client.prefetches.otherRequestCount == 1 }
    Graph.TraceContext.$current.withValue(two) {
      _ = client.prefetch(Store.buildQuery(named: "Later") { $0.shop { $0.name() } })
    }
    latch.open()
    _ = try await first.value
    try await wait { observer.steps.filter { $0 == "ended" }.count == 2 }
    let prefetch = observer.events.first { $0.call?.operationName == "Later" }
    #expect(prefetch?.call?.trace?.traceID == two.traceID)
  }

  @Test func valuesAreNotInEvents() async throws {
    let secret = "secret-7f3a"
    let transport = ScriptedTransport(.json(#"{"data":{"rename":{"name":"Boots"}}}"#))
    let client = Graph.Client.test(transport, headers: ["Authorization": secret]) {
      $0.observers = [observer]
    }
    _ = try await client.mutate(Store.buildMutation { $0.rename(name: secret) { $0.name() } })
    let text = observer.events.map { "\($0)" }.joined()
    #expect(text.contains("mutation") && !text.contains(secret))
  }
}

/// Returns other bytes than were stored.
private struct Corrupting: Graph.ResponseStorage {
  let storage: any Graph.ResponseStorage

  init(_ storage: any Graph.ResponseStorage) { self.storage = storage }

  func response(for key: Graph.CacheKey) async throws -> Graph.CachedResponse? {
    try await storage.response(for: key).map {
      Graph.CachedResponse(bytes: Array("{".utf8), storedAt: $0.storedAt)
    }
  }
  func store(_ response: Graph.CachedResponse, for key: Graph.CacheKey) async throws {}
  func remove(_ key: Graph.CacheKey) async throws {}
  func removeAll() async throws {}
}

private struct Failing: Graph.ResponseStorage {
  struct Failure: Error {}

  func response(for key: Graph.CacheKey) async throws -> Graph.CachedResponse? { throw Failure() }
  func store(_ response: Graph.CachedResponse, for key: Graph.CacheKey) async throws {
    throw Failure()
  }
  func remove(_ key: Graph.CacheKey) async throws { throw Failure() }
  func removeAll() async throws { throw Failure() }
}
