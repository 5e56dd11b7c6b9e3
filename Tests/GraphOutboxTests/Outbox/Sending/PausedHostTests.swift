import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// A host that has requested a pause gets no requests for other objects either.
@Suite(.timeLimit(.minutes(2)))
struct PausedHostTests {
  @Test func operationsForOtherObjectsWaitForThePausedHost() async throws {
    let shop = try TestShop()
    // Pauses apply to the whole process, so this host is for this test only.
    let client = Graph.Client(
      endpoint: try #require(URL(string: "https://paused.example/graphql")),
      transport: shop.server.endpoint)
    shop.server.endpoint.enqueue(.tooManyRequests(retryAfter: 20))
    let (outbox, _) = try await shop.run(client: client) { $0.concurrentOperations = 1 }
    let first = try await outbox.queue(shop.note("a", "1"), for: shop.cart("1"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: first) == .waiting)
    let transitions = outbox.transitions()
    let second = try await outbox.queue(shop.note("b", "2"), for: shop.cart("2"))
    var path: [Graph.OperationState] = []
    for await transition in transitions where transition.operation == second {
      path.append(transition.to)
      if transition.to == .waiting || transition.to.isFinal { break }
    }
    #expect(path == [.pending, .waiting])
    #expect(try outbox.state(of: shop.cart("2"))?.reason?.code == "pause")
    // Nothing is in progress, and there is nothing to wait for now.
    #expect(await outbox.flush(within: .seconds(5)))
    #expect(shop.server.endpoint.requests.count == 1)
    // It was never sent, so it can be replaced and cancelled.
    try await outbox.cancel(second)
    #expect(try outbox.state(ofOperation: second) == .cancelled)
  }
}
