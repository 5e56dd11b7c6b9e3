import Foundation
import GraphClient
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphOutbox

/// Observers of the client receive the states of queued operations.
struct OutboxObserverTests {
  private final class States: Graph.Observer {
    private let seen = Locked<[String]>([])
    var all: [String] { seen.withLock { $0 } }

    func observe(_ event: Graph.ObservedEvent) {
      guard case .queuedOperation(_, let former, let state) = event.step else { return }
      seen.withLock { $0.append("\(former ?? "-") \(state)") }
    }
  }

  @Test func statesOfQueuedOperations() async throws {
    let shop = try TestShop()
    let states = States()
    var configuration = Graph.ClientConfiguration()
    configuration.observers = [states]
    let client = Graph.Client(
      endpoint: URL(string: "https://shop.example/graphql")!, transport: shop.server.endpoint,
      configuration: configuration)
    let (outbox, _) = try await shop.run(client: client)
    try await outbox.queue(shop.creation, for: shop.cart(Graph.TemporaryKey.make()))
    try await wait { states.all.last?.hasSuffix("received") == true }
    #expect(
      states.all == [
        "- pending", "pending inTransit", "inTransit delivered", "delivered received",
      ])
    await outbox.close()
  }
}
