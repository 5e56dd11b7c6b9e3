import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

/// A call whose task is cancelled returns at once, in every step. The closures that hang here
/// ignore cancellation, so each test that ends proves it.
@Suite(.timeLimit(.minutes(2)))
struct CallCancellationTests {
  private let time = HeldTime()
  private let hanging = Hanging()

  /// Cancels a query as soon as `isThere` is true.
  private func cancel(
    _ client: Graph.Client, when isThere: @escaping @Sendable () async -> Bool
  ) async throws {
    let task = Task { try await client.query(shopQuery(), timeout: .seconds(99)) }
    try await wait(until: isThere)
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(client.inFlight.callerCount == 0)
  }

  private func cancelWhileItHangs(_ client: Graph.Client) async throws {
    try await cancel(client) { [hanging] in hanging.count == 1 }
    #expect(time.scheduledActionCount == 0)
    hanging.release()
  }

  @Test func cancelsWhileAHeaderProviderHangs() async throws {
    let provider: Graph.Client.HeaderProvider = { [hanging] in
      await hanging.hang()
      return [:]
    }
    let transport = ScriptedTransport(.shop)
    try await cancelWhileItHangs(.test(transport, source: .provider(provider), time: time))
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: HangingInterceptor.Point.allCases)
  func cancelsWhileAnInterceptorHangs(point: HangingInterceptor.Point) async throws {
    let interceptor = HangingInterceptor(point: point, hanging: hanging)
    try await cancelWhileItHangs(
      .test(ScriptedTransport(.shop), interceptors: [interceptor], time: time))
  }

  @Test func cancelsDuringAPauseOfTheHost() async throws {
    let throttle = Graph.HostThrottle()
    throttle.delay("https://shop.example:443", by: .seconds(12), time: time)
    let transport = ScriptedTransport(.shop)
    let task = Task { [time] in
      try await Graph.Client.test(transport, time: time, throttle: throttle).query(shopQuery())
    }
    try await time.sleeper(for: .seconds(12))
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(transport.requests.isEmpty)
  }

  @Test func cancelsBetweenTwoAttempts() async throws {
    let transport = ScriptedTransport(.json("", status: 503, type: nil))
    let task = Task { [time] in
      try await Graph.Client.test(transport, time: time).query(shopQuery())
    }
    try await time.sleeper(for: .milliseconds(500))
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(transport.requests.count == 1)
  }

  @Test func cancelsWhileWaitingForAnEqualQuery() async throws {
    let transport = ScriptedTransport { [hanging] _ in
      await hanging.hang()
      return .shop
    }
    let client = Graph.Client.test(transport, time: time)
    let first = Task { try await client.query(shopQuery()).data?.shop.name }
    try await wait { hanging.count == 1 }
    let second = Task { try await client.query(shopQuery(), timeout: .seconds(99)) }
    try await wait { client.inFlight.callerCount == 2 }
    second.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await second.value }
    #expect(error?.code == .cancelled)
    #expect(time.scheduledActionCount == 0)
    hanging.release()
    #expect(try await first.value == "Shoes")
  }

  @Test func cancelsDuringTheWindowOfABatch() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, time: time) {
      $0.batching = Graph.BatchPolicy(window: .seconds(5), maximumCount: 10)
    }
    let task = Task { try await client.query(shopQuery(), timeout: .seconds(99)) }
    try await time.sleeper(for: .seconds(5))
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    try await time.pass(.seconds(5))
    #expect(transport.requests.isEmpty)
  }

  /// The request of a batch ends with the last caller that waits for it, and not before.
  @Test func batchRequestEndsWithItsLastCaller() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let isCancelled = Box(false)
    let transport = ScriptedTransport { _ in
      await withTaskCancellationHandler {
        arrived.yield()
        await Hanging.untilCancelled()
      } onCancel: {
        isCancelled.update { $0 = true }
      }
      throw Graph.TransportError(.cancelled, message: "cancelled", bytesSent: true)
    }
    let client = Graph.Client.test(transport, time: time) {
      $0.batching = Graph.BatchPolicy(window: .seconds(5), maximumCount: 2)
      $0.sharesEqualQueries = false
    }
    let tasks = (0..<2).map { _ in Task { try await client.query(shopQuery()) } }
    for await _ in arrivals { break }
    tasks[0].cancel()
    await #expect(throws: Graph.QueryError.self) { try await tasks[0].value }
    #expect(!isCancelled.current)
    tasks[1].cancel()
    await #expect(throws: Graph.QueryError.self) { try await tasks[1].value }
    try await wait { isCancelled.current }
  }
}
