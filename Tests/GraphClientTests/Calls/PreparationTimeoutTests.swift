import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

/// The program's own closures have a deadline, even if the call has none.
@Suite(.timeLimit(.minutes(2)))
struct PreparationTimeoutTests {
  private let time = HeldTime()
  private let hanging = Hanging()

  private func attempt(_ client: Graph.Client) -> Task<Graph.Attempt, any Error> {
    Task {
      await client.attempt(
        GraphQL.Operation(
          kind: .query, name: nil, document: "query { shop { name } }", variables: Array("{}".utf8))
      )
    }
  }

  private func transportError(_ attempt: Graph.Attempt) -> Graph.TransportError? {
    guard case .failure(let error) = attempt.result else { return nil }
    return error.transportError
  }

  /// An outbox can use its slot again.
  @Test func hangingHeaderProviderTimesOut() async throws {
    let provider: Graph.Client.HeaderProvider = { [hanging] in
      await hanging.hang()
      return [:]
    }
    let client = Graph.Client.test(
      ScriptedTransport(.shop), source: .provider(provider), time: time
    ) { $0.preparationTimeout = .seconds(7) }
    let task = attempt(client)
    try await time.runAction(after: .seconds(7))
    let attempt = try await task.value
    #expect(!attempt.wasPrepared)
    #expect(transportError(attempt)?.code == .timedOut)
    #expect(transportError(attempt)?.bytesSent == false)
    hanging.release()
  }

  @Test(arguments: HangingInterceptor.Point.allCases)
  func hangingInterceptorTimesOut(point: HangingInterceptor.Point) async throws {
    let client = Graph.Client.test(
      ScriptedTransport(.shop),
      interceptors: [HangingInterceptor(point: point, hanging: hanging)], time: time
    ) { $0.preparationTimeout = .seconds(30) }
    let task = attempt(client)
    try await wait { hanging.count == 1 }
    try await time.runAction(after: .seconds(30))
    let attempt = try await task.value
    #expect(attempt.wasPrepared == (point != .preparation))
    #expect(transportError(attempt)?.code == .timedOut)
    #expect(transportError(attempt)?.bytesSent == (point == .after))
    hanging.release()
    #expect(time.scheduledActionCount == 0)
  }

  /// Sending has a limit of its own.
  @Test func interceptorMayWaitForASlowResponse() async throws {
    struct Passing: Graph.Interceptor {}
    let transport = ScriptedTransport { [hanging] _ in
      await hanging.hang()
      return .shop
    }
    let client = Graph.Client.test(transport, interceptors: [Passing()], time: time)
    let task = Task { try await client.query(shopQuery()).data?.shop.name }
    try await wait { hanging.count == 1 }
    #expect(time.scheduledActionCount == 0)
    hanging.release()
    #expect(try await task.value == "Shoes")
  }

  /// The refresh continues for the other callers when one leaves.
  @Test func cancellingOneCallerKeepsTheTokenRefreshRunning() async throws {
    let count = Box(0)
    let refresher = Graph.TokenRefresher { [hanging] in
      count.update { $0 += 1 }
      await hanging.hang()
      return "new"
    }
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, interceptors: [refresher], time: time)
    let tasks = (0..<3).map { _ in Task { try await client.query(shopQuery()).data?.shop.name } }
    try await wait { await refresher.waiterCount == 3 }
    tasks[0].cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await tasks[0].value }
    #expect(error?.code == .cancelled)
    try await wait { await refresher.waiterCount == 2 }
    hanging.release()
    for task in tasks.dropFirst() { #expect(try await task.value == "Shoes") }
    #expect(count.current == 1)
    #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == "Bearer new" })
  }

  /// No caller waits any more, and a late result does not count.
  @Test func hangingTokenRefreshTimesOutAndIsDiscarded() async throws {
    let count = Box(0)
    let refresher = Graph.TokenRefresher(refreshTimeout: .seconds(8), time: time) { [hanging] in
      let number = count.update { count in
        count += 1
        return count
      }
      if number == 1 { await hanging.hang() }
      return "token \(number)"
    }
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, interceptors: [refresher], time: time)
    let late = Task { try await client.query(shopQuery()) }
    try await wait { hanging.count == 1 }
    try await time.runAction(after: .seconds(8))
    let error = await #expect(throws: Graph.QueryError.self) { try await late.value }
    #expect(error?.transportError?.code == .timedOut)
    #expect(error?.transportError?.bytesSent == false)
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    hanging.release()
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    #expect(
      transport.requests.map { $0.headers["Authorization"] } == [
        "Bearer token 2", "Bearer token 2",
      ])
    #expect(time.scheduledActionCount == 0)
  }

  /// The server's response is more useful than the error of the refresh.
  @Test func refreshTimeoutReportsTheOriginalStatus401() async throws {
    let refresher = Graph.TokenRefresher(
      token: "old", refreshTimeout: .seconds(8), time: time
    ) { [hanging] in
      await hanging.hang()
      return "new"
    }
    let client = Graph.Client.test(
      ScriptedTransport(.json("", status: 401, type: nil)), interceptors: [refresher], time: time)
    let task = Task { try await client.query(shopQuery()) }
    try await wait { hanging.count == 1 }
    try await time.runAction(after: .seconds(8))
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.code == .status && error?.response?.status == 401)
    hanging.release()
  }
}
