import Foundation
import GraphQLRuntime
import Testing

@testable import GraphClient

struct RetryPolicyTests {
  private let unavailable = Graph.HTTPResponse.json("busy", status: 503, type: "text/plain")

  @Test func backoffIsExponentialWithACap() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(
      unavailable, unavailable, unavailable, unavailable, unavailable, .shop)
    let client = Graph.Client.test(transport, time: time) {
      $0.retryPolicy = Graph.RetryPolicy(
        maximumAttempts: 6, backoff: Graph.Backoff(base: .seconds(1), maximum: .seconds(5)))
    }
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
  }

  @Test func backoffUsesFullJitter() async throws {
    let time = ManualTime(chance: 0)
    let client = Graph.Client.test(ScriptedTransport(unavailable, .shop), time: time)
    _ = try await client.query(shopQuery())
    #expect(time.sleeps == [.zero])
  }

  @Test func singleAttemptIsNotRetried() async throws {
    let transport = ScriptedTransport(unavailable)
    let operation = GraphQL.Operation<GraphQL.AbstractResponse>(
      kind: .query, name: nil, document: "{shop{name}}", variables: Array("{}".utf8))
    let attempt = await Graph.Client.test(transport).attempt(operation)
    guard case .failure(let error) = attempt.result else {
      Issue.record("\(attempt.result)")
      return
    }
    #expect(error.code == .status && error.response?.status == 503)
    #expect(attempt.wasPrepared && transport.requests.count == 1)
  }

  @Test func theLastFailureIsReported() async throws {
    let transport = ScriptedTransport(unavailable)
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport).query(shopQuery())
    }
    #expect(error?.code == .status && error?.response?.status == 503)
    #expect(transport.requests.count == 4)
  }

  @Test(arguments: [400, 401, 403, 404, 500, 501])
  func permanentErrorStatusesAreNotRetried(status: Int) async throws {
    let transport = ScriptedTransport(.json("no", status: status, type: "text/plain"))
    await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport).query(shopQuery())
    }
    #expect(transport.requests.count == 1)
  }

  @Test func aLostConnectionIsRetried() async throws {
    let attempts = Box(0)
    let transport = ScriptedTransport { _ in
      let count = attempts.update {
        $0 += 1
        return $0
      }
      if count == 1 {
        throw Graph.TransportError(.connectionLost, message: "lost", bytesSent: true)
      }
      return .shop
    }
    #expect(try await Graph.Client.test(transport).query(shopQuery()).data != nil)
    #expect(transport.requests.count == 2)
  }

  @Test func mutationIsNeverRetried() async throws {
    for failure in [unavailable, .json("", status: 429, type: nil, headers: ["Retry-After": "1"])] {
      let transport = ScriptedTransport(failure, .json(#"{"data":{"rename":{"name":"B"}}}"#))
      await #expect(throws: Graph.QueryError.self) {
        try await Graph.Client.test(transport).mutate(renameMutation())
      }
      #expect(transport.requests.count == 1)
    }
  }

  /// A program decides by `bytesSent` whether it may send a mutation again.
  @Test(arguments: [true, false])
  func theLastFailureShowsWhetherAnyAttemptWasSent(isFirstSent: Bool) async throws {
    let attempts = Box(0)
    let transport = ScriptedTransport { _ in
      let isFirst = attempts.update { count in
        count += 1
        return count == 1
      }
      throw Graph.TransportError(
        isFirst ? .connectionLost : .cannotConnect, message: "no network",
        bytesSent: isFirst && isFirstSent)
    }
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport).mutate(renameMutation(), idempotencyKey: "key-1")
    }
    #expect(error?.transportError?.code == .cannotConnect && error?.request != nil)
    #expect(error?.transportError?.bytesSent == isFirstSent)
    #expect(attempts.current == 4)
  }

  @Test func mutationWithAnIdempotencyKeyIsRetried() async throws {
    let transport = ScriptedTransport(unavailable, .json(#"{"data":{"rename":{"name":"B"}}}"#))
    let response = try await Graph.Client.test(transport)
      .mutate(renameMutation(), idempotencyKey: "key-1")
    #expect(response.data?.rename?.name == "B")
    #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["key-1", "key-1"])
  }

  @Test func respectsRetryAfterInSeconds() async throws {
    let time = ManualTime(chance: 0)
    let transport = ScriptedTransport(
      .json("", status: 429, type: nil, headers: ["Retry-After": "7"]), .shop)
    _ = try await Graph.Client.test(transport, time: time).query(shopQuery())
    #expect(time.sleeps == [.seconds(7)])
  }

  @Test func jitterOfARequestedDelayDoesNotGrow() async throws {
    let time = ManualTime()
    let busy = Graph.HTTPResponse.json("", status: 429, type: nil, headers: ["Retry-After": "7"])
    let transport = ScriptedTransport(busy, busy, busy, .shop)
    _ = try await Graph.Client.test(transport, time: time).query(shopQuery())
    #expect(time.sleeps == [.seconds(7.5), .seconds(7.5), .seconds(7.5)])
  }

  @Test func respectsRetryAfterAsADate() async throws {
    let time = ManualTime(chance: 0)
    // The manual clock shows Tue, 14 Nov 2023 22:13:20 GMT.
    let transport = ScriptedTransport(
      .json(
        "", status: 503, type: nil, headers: ["Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"]),
      .shop)
    _ = try await Graph.Client.test(transport, time: time).query(shopQuery())
    #expect(time.sleeps == [.seconds(30)])
  }

  @Test func requestIsNotRetriedAfterAnExcessiveRetryAfter() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(
      .json("", status: 429, type: nil, headers: ["Retry-After": "86400"]))
    await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport, time: time).query(shopQuery())
    }
    #expect(time.sleeps.isEmpty && transport.requests.count == 1)
  }

  @Test func throttledQueryWaitsForTheMissingPoints() async throws {
    let time = ManualTime(chance: 0)
    let transport = ScriptedTransport(throttled(cost: 120, available: 20, maximum: 1000), .shop)
    _ = try await Graph.Client.test(transport, time: time).query(shopQuery())
    #expect(time.sleeps == [.seconds(2)])
  }

  @Test func queryAboveTheMaximumCostIsNotRetried() async throws {
    let transport = ScriptedTransport(throttled(cost: 2000, available: 20, maximum: 1000), .shop)
    let response = try await Graph.Client.test(transport).query(shopQuery())
    #expect(response.errors.first?.code == "THROTTLED")
    #expect(transport.requests.count == 1)
  }

  private func throttled(cost: Int, available: Int, maximum: Int) -> Graph.HTTPResponse {
    .json(
      """
      {"errors":[{"message":"Throttled","extensions":{"code":"THROTTLED"}}],
      "extensions":{"cost":{"requestedQueryCost":\(cost),"actualQueryCost":null,
      "throttleStatus":{"maximumAvailable":\(maximum),"currentlyAvailable":\(available),
      "restoreRate":50.0}}}}
      """)
  }
}

struct RetryAfterTests {
  private let now = ManualTime().now

  @Test(arguments: [
    ("0", 0), (" 12 ", 12), ("99999999999999999999", 1_000_000_000),
    ("Tuesday, 14-Nov-23 22:13:21 GMT", 1), ("Tue Nov 14 22:13:21 2023", 1),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 0), ("Sun Nov  6 08:49:37 1994", 0),
    ("Tue, 14 Nov 2023 22:13:21 GMT", 1), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
  ])
  func parsesValidValues(value: String, seconds: Int) {
    #expect(Graph.RetryAfter.delay(["Retry-After": value], now: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "-1", "1.5", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994",
    "Sunday, 06-Nov-94", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov  6 08:49 1994",
    "Sun Nov x 08:49:37 1994",
  ])
  func ignoresInvalidValues(value: String) {
    #expect(Graph.RetryAfter.delay(["Retry-After": value], now: now) == nil)
  }

  /// This machine's clock may be wrong by years.
  @Test(arguments: ["Tue, 14 Nov 2013 22:13:20 GMT", "Mon, 14 Nov 2033 22:13:20 GMT"])
  func delayIsRelativeToTheDateOfTheServer(date: String) {
    let later = date.replacing(":20 ", with: ":25 ")
    #expect(
      Graph.RetryAfter.delay(["Retry-After": later, "Date": date], now: now) == .seconds(5))
    #expect(
      Graph.RetryAfter.delay(["Retry-After": date, "Date": "soon"], now: now) != .seconds(5))
  }

  @Test(arguments: [0, 951_782_399, 951_782_400, 1_709_164_800, 4_102_444_800, 253_402_300_799])
  func datesAgreeWithFoundation(seconds: Int64) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let text = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    #expect(Graph.HTTPDate.secondsSince1970(text) == seconds)
  }
}

struct HostThrottleTests {
  @Test func requestsAreSpacedAfterAPause() async throws {
    let throttle = Graph.HostThrottle(spacing: .milliseconds(20))
    let time = ManualTime()
    throttle.delay("host", by: .seconds(5), time: time)
    // All requests arrive at the same time: each gets a place of its own.
    let frozen = FrozenTime(time.now)
    for _ in 0..<1000 { #expect(try await throttle.waitForPermission(for: "host", time: frozen)) }
    let sleeps = frozen.sleeps.current
    #expect(sleeps.first == .seconds(5))
    #expect(sleeps.last == .seconds(5) + .milliseconds(20 * 999))
    #expect(Set(sleeps).count == 1000)
  }

  @Test func pauseDoesNotDelayOtherHostsOrLaterRequests() async throws {
    let throttle = Graph.HostThrottle()
    let time = ManualTime()
    throttle.delay("a", by: .seconds(5), time: time)
    #expect(try await throttle.waitForPermission(for: "b", time: time))
    #expect(time.sleeps.isEmpty)
    time.advance(by: .seconds(6))
    #expect(try await throttle.waitForPermission(for: "a", time: time))
    #expect(time.sleeps.isEmpty)
  }

  @Test func throttledMutationDelaysLaterRequests() async throws {
    let throttle = Graph.HostThrottle()
    let time = ManualTime(chance: 0)
    let busy = ScriptedTransport(
      .json("", status: 429, type: nil, headers: ["Retry-After": "9"]))
    await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(busy, time: time, throttle: throttle).mutate(renameMutation())
    }
    let other = ScriptedTransport(.shop)
    _ = try await Graph.Client.test(other, time: time, throttle: throttle).query(shopQuery())
    #expect(time.sleeps == [.seconds(9)])
  }
}

/// Time that does not advance.
private final class FrozenTime: Graph.TimeSource {
  let now: Graph.Timestamp
  let sleeps = Box<[Duration]>([])

  init(_ now: Graph.Timestamp) { self.now = now }

  func sleep(for duration: Duration) { sleeps.update { $0.append(duration) } }
  func random() -> Double { 0 }
}
