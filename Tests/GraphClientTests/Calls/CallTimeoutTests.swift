import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphClient

/// `timeout` limits a call as a whole, in every step. The closures that hang here hang forever, so
/// each test that ends proves it.
@Suite(.timeLimit(.minutes(2)))
struct CallTimeoutTests {
  private let time = HeldTime()
  private let hanging = Hanging()
  private let limit = Duration.seconds(1)

  /// The error of a query whose deadline passes while a step hangs.
  private func late(_ client: Graph.Client, isHanging count: Int = 1) async throws
    -> Graph.TransportError?
  {
    let task = Task { try await client.query(shopQuery(), timeout: limit) }
    try await wait { hanging.count == count }
    try await time.runAction(after: limit)
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.transportError?.code == .timedOut)
    return error?.transportError
  }

  @Test func timesOutWhileAHeaderProviderHangs() async throws {
    let transport = ScriptedTransport(.shop)
    let provider: Graph.Client.HeaderProvider = { [hanging] in
      await hanging.hang()
      return [:]
    }
    let error = try await late(.test(transport, source: .provider(provider), time: time))
    #expect(error?.bytesSent == false)
    hanging.release()
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: HangingInterceptor.Point.allCases)
  func timesOutWhileAnInterceptorHangs(point: HangingInterceptor.Point) async throws {
    let transport = ScriptedTransport(.shop)
    let error = try await late(
      .test(
        transport, interceptors: [HangingInterceptor(point: point, hanging: hanging)], time: time))
    // After the response the server has received the request.
    #expect(error?.bytesSent == (point == .after))
    hanging.release()
    #expect(transport.requests.count == (point == .after ? 1 : 0))
    #expect(time.scheduledActionCount == 0)
  }

  /// An interceptor that continues after the call has ended does not send the mutation.
  @Test(arguments: [false, true])
  func interceptorsCannotSendAfterTheCallHasEnded(isCancelled: Bool) async throws {
    struct Reporter: Graph.Interceptor {
      let hanging: Hanging
      let outcome: Box<String?>

      func intercept(
        _ request: Graph.OperationRequest, next: Next
      ) async throws -> Graph.OperationResponse {
        await hanging.hang()
        do {
          let response = try await next(request)
          outcome.update { $0 = "sent" }
          return response
        } catch {
          outcome.update { $0 = "refused" }
          throw error
        }
      }
    }
    let transport = ScriptedTransport(.json(#"{"data":{"rename":{"name":"B"}}}"#))
    let outcome = Box<String?>(nil)
    let client = Graph.Client.test(
      transport, interceptors: [Reporter(hanging: hanging, outcome: outcome)], time: time)
    let task = Task { try await client.mutate(renameMutation(), timeout: limit) }
    try await wait { hanging.count == 1 }
    if isCancelled { task.cancel() } else { try await time.runAction(after: limit) }
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    if isCancelled {
      #expect(error?.code == .cancelled)
    } else {
      #expect(error?.transportError?.code == .timedOut && error?.transportError?.bytesSent == false)
    }
    hanging.release()
    try await wait { outcome.current != nil }
    #expect(outcome.current == "refused")
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [nil, "old"])
  func timesOutWhileATokenRefreshHangs(token: String?) async throws {
    let transport = ScriptedTransport(.json("", status: 401, type: nil))
    let refresher = Graph.TokenRefresher(
      token: token, refreshTimeout: .seconds(30), time: time
    ) { [hanging] in
      await hanging.hang()
      return "new"
    }
    let error = try await late(.test(transport, interceptors: [refresher], time: time))
    // A request that was refused because of its token was not carried out.
    #expect(error?.bytesSent == false)
    #expect(transport.requests.count == (token == nil ? 0 : 1))
    hanging.release()
  }

  @Test func timesOutWhileWaitingForAnEqualQuery() async throws {
    let transport = ScriptedTransport { [hanging] _ in
      await hanging.hang()
      return .shop
    }
    let client = Graph.Client.test(transport, time: time)
    let first = Task { try await client.query(shopQuery()).data?.shop.name }
    try await wait { hanging.count == 1 }
    let error = try await late(client)
    #expect(error?.bytesSent == false)
    #expect(client.inFlight.callerCount == 1)
    hanging.release()
    #expect(try await first.value == "Shoes")
    #expect(transport.requests.count == 1)
  }

  /// The window of a batch, and a batch that is in progress.
  @Test(arguments: [false, true])
  func timesOutBeforeAndDuringABatchRequest(isSent: Bool) async throws {
    let transport = ScriptedTransport { [hanging] _ in
      await hanging.hang()
      try Task.checkCancellation()
      return .shop
    }
    let client = Graph.Client.test(transport, time: time) {
      $0.batching = Graph.BatchPolicy(window: .seconds(5), maximumCount: 10)
    }
    let task = Task { try await client.query(shopQuery(), timeout: .seconds(9)) }
    if isSent {
      try await time.pass(.seconds(5))
      try await wait { hanging.count == 1 }
      try await time.runAction(after: .seconds(9) + .milliseconds(20))
    } else {
      try await time.sleeper(for: .seconds(5))
      try await time.runAction(after: .seconds(9))
    }
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.transportError?.code == .timedOut)
    #expect(error?.transportError?.bytesSent == isSent)
    if !isSent { try await time.pass(.seconds(5)) }
    hanging.release()
    #expect(transport.requests.count == (isSent ? 1 : 0))
    #expect(time.scheduledActionCount == 0)
  }

  /// The timeout of the first call does not apply to the others.
  @Test func timedOutSharedQueryIsRetriedForOtherCallers() async throws {
    let count = Box(0)
    let transport = ScriptedTransport { [hanging] request in
      let number = count.update { count in
        count += 1
        return count
      }
      guard number == 1 else { return .shop }
      // Like a transport that keeps to the timeout.
      let timeout = try #require(request.timeout)
      await hanging.hang()
      #expect(timeout <= .seconds(9))
      throw Graph.TransportError(.timedOut, message: "late", bytesSent: true)
    }
    let client = Graph.Client.test(transport, time: time)
    let first = Task { try await client.query(shopQuery(), timeout: .seconds(9)) }
    try await wait { hanging.count == 1 }
    let second = Task { try await client.query(shopQuery()).data?.shop.name }
    try await wait { client.inFlight.callerCount == 2 }
    time.advance(by: .seconds(9))
    hanging.release()
    let error = await #expect(throws: Graph.QueryError.self) { try await first.value }
    #expect(error?.transportError?.code == .timedOut)
    #expect(try await second.value == "Shoes")
  }

  /// Another client has received a `Retry-After`.
  @Test func timesOutDuringAPauseOfTheHost() async {
    let time = ManualTime()
    let throttle = Graph.HostThrottle()
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, time: time, throttle: throttle)
    throttle.delay("https://shop.example:443", by: .seconds(12), time: time)
    let start = time.now.uptime
    for _ in 0..<1000 {
      let error = await #expect(throws: Graph.QueryError.self) {
        try await client.query(shopQuery(), timeout: .milliseconds(1))
      }
      #expect(error?.transportError?.code == .timedOut)
      #expect(error?.transportError?.bytesSent == false)
    }
    #expect(time.now.uptime == start + .seconds(1))
    #expect(transport.requests.isEmpty)
    // Callers that have given up do not delay others.
    await #expect(throws: Never.self) { try await client.query(shopQuery(), timeout: .seconds(12)) }
    #expect(time.now.uptime == start + .seconds(12))
  }

  /// It is useless to wait for an attempt that would come too late.
  @Test(arguments: [false, true])
  func doesNotWaitForRetriesPastTheDeadline(isTheServersDelay: Bool) async {
    let time = ManualTime()
    let headers: Graph.Headers = isTheServersDelay ? ["Retry-After": "3"] : [:]
    let transport = ScriptedTransport(.json("", status: 503, type: nil, headers: headers))
    let client = Graph.Client.test(transport, time: time) {
      $0.retryPolicy.backoff.base = .seconds(3)
    }
    let start = time.now.uptime
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), timeout: .seconds(8))
    }
    #expect(error?.code == .status && error?.response?.status == 503)
    // The second attempt is made after 3 s, or after 6 s with the server's delay; another 6 s would
    // be too long.
    #expect(transport.requests.count == 2)
    #expect(time.now.uptime - start < .seconds(8))
  }

  @Test func attemptsAreLimitedToTheRemainingTime() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport { request in
      time.advance(by: .seconds(1))
      return .json("", status: 503, type: nil)
    }
    let client = Graph.Client.test(transport, time: time) {
      $0.attemptTimeout = .seconds(5)
      $0.retryPolicy.backoff.base = .seconds(1)
      $0.retryPolicy.backoff.maximum = .seconds(1)
    }
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), timeout: .seconds(6))
    }
    #expect(transport.requests.map(\.timeout) == [.seconds(5), .seconds(4), .seconds(2)])
    let seen = transport.requests.count
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(transport.requests.dropFirst(seen).allSatisfy { $0.timeout == .seconds(5) })
  }

  @Test func zeroTimeoutSendsNoRequest() async {
    let transport = ScriptedTransport(.shop)
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport).query(shopQuery(), timeout: .zero)
    }
    #expect(error?.transportError?.code == .timedOut)
    #expect(error?.transportError?.bytesSent == false)
    #expect(transport.requests.isEmpty)
  }

  @Test func configuredTimeoutIsTheDefaultForCalls() async throws {
    let client = Graph.Client.test(
      ScriptedTransport(.shop),
      interceptors: [HangingInterceptor(point: .before, hanging: hanging)], time: time
    ) { $0.timeout = limit }
    let query = Task { try await client.query(shopQuery()) }
    try await wait { hanging.count == 1 }
    try await time.runAction(after: limit)
    let failure = await #expect(throws: Graph.QueryError.self) { try await query.value }
    #expect(failure?.transportError?.code == .timedOut)
    // For a subscription, it limits the opening.
    let subscription = Task {
      for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) {}
    }
    try await wait { hanging.count == 2 }
    try await time.runAction(after: limit)
    let error = await #expect(throws: Graph.QueryError.self) { try await subscription.value }
    #expect(error?.transportError?.code == .timedOut)
    hanging.release()
  }

  /// A transport's own limit passes at the same time, and the transport knows whether anything was
  /// sent.
  @Test(arguments: [true, false])
  func timeoutErrorKeepsBytesSentOfTheTransport(bytesSent: Bool) async throws {
    struct Passing: Graph.Interceptor {}
    let transport = ScriptedTransport { [hanging] request in
      await hanging.hang()
      throw Graph.TransportError(.timedOut, message: "late", bytesSent: bytesSent)
    }
    let client = Graph.Client.test(transport, interceptors: [Passing()], time: time)
    let task = Task { try await client.mutate(renameMutation(), timeout: limit) }
    try await wait { hanging.count == 1 }
    try await time.runAction(after: limit)
    hanging.release()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.transportError?.message == "late")
    #expect(error?.transportError?.bytesSent == bytesSent)
  }

  @Test func timesOutWhenTheTransportIgnoresItsTimeout() async throws {
    struct Passing: Graph.Interceptor {}
    let transport = ScriptedTransport { [hanging] _ in
      await hanging.hang()
      return .shop
    }
    let client = Graph.Client.test(transport, interceptors: [Passing()], time: time)
    let task = Task { try await client.mutate(renameMutation(), timeout: limit) }
    try await wait { hanging.count == 1 }
    try await time.runAction(after: limit + .milliseconds(20))
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.transportError?.code == .timedOut)
    #expect(error?.transportError?.bytesSent == true)
    hanging.release()
  }
}
