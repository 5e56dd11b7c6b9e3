import Foundation
import GraphJSON
import GraphQLRuntime
import GraphRateLimits
import TestSupport
import Testing

@testable import GraphClient

/// The steps of each call, whatever the server does and whenever its caller leaves.
struct ObservedCallsTests {
  private struct PassingInterceptor: Graph.Interceptor {
    func intercept(
      _ request: Graph.OperationRequest, next: Next
    ) async throws -> Graph.OperationResponse {
      await Task.yield()
      return try await next(request)
    }
  }

  private let observer = RecordingObserver()

  @Test(arguments: 0..<100)
  func eachCallBeginsAndEndsOnce(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let client = client(&random)
    let tasks = (0..<12).map { _ in
      let (kind, yields) = (
        Int.random(in: 0..<7, using: &random), Int.random(in: 0..<30, using: &random)
      )
      let task = Task { await call(kind, client) }
      return (task, yields)
    }
    for (task, yields) in tasks {
      for _ in 0..<yields { await Task.yield() }
      if yields % 2 == 0 { task.cancel() }
    }
    for (task, _) in tasks { await task.value }
    try await wait {
      let events = observer.events
      return events.count { $0.isBeginning } == events.count { $0.isEnd }
    }
    check()
  }

  private func check() {
    let calls = Dictionary(grouping: observer.events) { $0.call?.id ?? 0 }
    #expect(!calls.isEmpty)
    for events in calls.values {
      let steps = events.map(\.step.summary)
      #expect(events.first?.isBeginning == true && events.last?.isEnd == true, "\(steps)")
      #expect(events.count { $0.isBeginning } == 1 && events.count { $0.isEnd } == 1, "\(steps)")
      #expect(Set(events.compactMap(\.call)).count == 1)
      let opened = steps.count { $0.hasPrefix("opened") }
      #expect(opened == steps.count { $0.hasPrefix("closed") }, "\(steps)")
      if steps.last == "ended" {
        #expect(
          events.first?.call?.kind == .subscription || steps.contains { $0.hasPrefix("delivered") },
          "\(steps)")
      }
      #expect(events.allSatisfy { $0.duration >= .zero && $0.duration <= events.last!.duration })
    }
  }

  private func client(_ random: inout SeededGenerator) -> Graph.Client {
    let choices = Locked(random)
    let transport = ScriptedTransport { request in
      for _ in 0..<choices.withLock({ Int.random(in: 0..<10, using: &$0) }) { await Task.yield() }
      try Task.checkCancellation()
      return try Self.response(to: request, choices.withLock { Int.random(in: 0..<10, using: &$0) })
    }
    let (batches, persists, shares) = (
      Bool.random(using: &random), Bool.random(using: &random), Bool.random(using: &random)
    )
    let policy: [Graph.CachePolicy] = [.networkOnly, .cacheFirst, .cacheAndNetwork, .networkFirst]
    return .test(
      transport, cachePolicy: policy.randomElement(using: &random) ?? .networkOnly,
      interceptors: Bool.random(using: &random) ? [PassingInterceptor()] : [],
      time: ManualTime(chance: 0)
    ) {
      $0.observers = [observer]
      if batches { $0.batching = Graph.BatchPolicy(window: .zero, maximumCount: 3) }
      if persists { $0.persistedQueries = .post }
      $0.sharesEqualQueries = shares
      $0.rateLimiter = Graph.BudgetLimiter(
        budget: Graph.RateBudget(capacity: 5, available: 1, refill: .perSecond(1)),
        time: ManualTime(chance: 0))
    }
  }

  private static func response(
    to request: Graph.HTTPRequest, _ choice: Int
  ) throws -> Graph.HTTPResponse {
    if request.headers["Accept"]?.contains("event-stream") == true {
      let tick = "event: next\ndata: {\"data\":{\"tick\":1}}\n\n"
      return .json(choice < 5 ? tick : tick + "event: complete\n\n", type: "text/event-stream")
    }
    switch choice {
    case 0: return .json("busy", status: 503, type: "text/plain", headers: ["Retry-After": "1"])
    case 1: throw Graph.TransportError(.connectionLost, message: "lost", bytesSent: true)
    case 2:
      return .json(#"{"errors":[{"message":"slow","extensions":{"code":"THROTTLED"}}]}"#)
    case 3: return .json("{")
    case 4: return .json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    default: break
    }
    let response = #"{"data":{"shop":{"name":"A"},"rename":{"name":"A"}}}"#
    guard case .array(let operations) = request.json else { return .json(response) }
    return .json("[\(Array(repeating: response, count: operations.count).joined(separator: ","))]")
  }

  private func call(_ kind: Int, _ client: Graph.Client) async {
    do {
      switch kind {
      case 0, 1: _ = try await client.query(shopQuery())
      case 2:
        _ = try await client.query(shopQuery(), cachePolicy: .cacheFirst, timeout: .seconds(3))
      case 3: _ = try await client.mutate(renameMutation(), idempotencyKey: "1")
      case 4: for try await _ in client.responses(to: shopQuery()) {}
      case 5:
        for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) { break }
      default: _ = client.prefetch(shopQuery())
      }
    } catch {}
  }
}

extension Graph.ObservedEvent {
  fileprivate var isBeginning: Bool { if case .began = step { true } else { false } }
  fileprivate var isEnd: Bool { if case .ended = step { true } else { false } }
}
