import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The result of a conflict hook for one attempt does not count for a later one.
@Suite(.timeLimit(.minutes(2)))
struct LateHookResultTests {
  private let shop: TestShop
  private let questions = Locked(0)
  private let gates = [
    AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self),
  ]

  init() throws { shop = try TestShop() }

  /// - Parameter responses: by the number of the call.
  private func run(
    _ requested: AsyncStream<Void>.Continuation, _ responses: [GraphQL.JSON?]
  ) async throws -> Graph.Outbox {
    try await shop.run {
      $0.backoff = Graph.Backoff(base: .seconds(3600), maximum: .zero)
      $0.conflicts["Cart"] = Graph.ConflictRule(
        versionField: "note",
        policy: .merge { [questions, gates] conflict in
          let question = questions.withLock { count in
            defer { count += 1 }
            return min(count, responses.count - 1)
          }
          requested.yield()
          for await _ in gates[question].stream {}
          return responses[question].map {
            conflict.variables.replacing("mine", with: $0.text ?? "")
          }
        })
    }.outbox
  }

  @Test func dropsALateRefusalOfAnEarlierAttempt() async throws {
    shop.server.endpoint.enqueue(.status(409))
    shop.server.endpoint.enqueue(
      .response(MockResponse(status: 429, headers: ["Retry-After": "100000"])))
    let (requested, ask) = AsyncStream.makeStream(of: Void.self)
    let outbox = try await run(ask, [nil])
    var transitions = outbox.transitions().makeAsyncIterator()
    let id = try await outbox.queue(shop.note("mine", "9"), for: shop.cart("9"))
    for await _ in requested { break }
    try await outbox.retry(id)
    while let transition = await transitions.next(), transition.to != .waiting {}
    gates[0].continuation.finish()
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .waiting)
  }

  @Test func dropsLateVariablesForAnEarlierAttempt() async throws {
    for _ in 1...2 { shop.server.endpoint.enqueue(.status(409)) }
    let (requested, ask) = AsyncStream.makeStream(of: Void.self)
    let outbox = try await run(ask, ["late", "new"])
    let id = try await outbox.queue(shop.note("mine", "9"), for: shop.cart("9"))
    var questions = requested.makeAsyncIterator()
    await questions.next()
    try await outbox.retry(id)
    await questions.next()
    gates[0].continuation.finish()
    try await wait { await outbox.sender.hooks.count <= 1 }
    gates[1].continuation.finish()
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 new"])
    #expect(try outbox.state(ofOperation: id) == .received)
  }
}
