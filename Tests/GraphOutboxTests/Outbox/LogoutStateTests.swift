import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// A logout ends what observers see of an object's writes.
@Suite(.timeLimit(.minutes(1)))
struct LogoutStateTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  /// Also if another store has logged out, as in another process.
  @Test(arguments: [false, true])
  func logoutRemovesARejectedOperationFromObservedState(isElsewhere: Bool) async throws {
    let (outbox, store) = try await shop.run()
    try await outbox.queue(shop.note("refused", "9"), for: shop.cart("9"))
    await outbox.flush()
    var states = outbox.states(of: shop.cart("9")).makeAsyncIterator()
    #expect(try await states.next()??.state == .rejected)
    let other = try Graph.Store(schema: Storefront.schema, file: shop.file)
    try await (isElsewhere ? other : store).logout()
    #expect(try await states.next() == .some(nil))
    #expect(try outbox.state(of: shop.cart("9")) == nil)
    #expect(try outbox.receipts() == [])
  }

  /// The transitions end as well, those of an operation that an earlier run has queued included.
  @Test(arguments: [false, true])
  func logoutEndsOperations(isElsewhere: Bool) async throws {
    let earlier: String
    do {
      let (outbox, _) = try await shop.run()
      try await outbox.setReachable(false)
      earlier = try await outbox.queue(shop.note("a", "1"), for: shop.cart("1"))
      await outbox.close()
    }
    let (outbox, store) = try await shop.run(
      client: Graph.Client(
        endpoint: URL(string: "https://shop.example")!, transport: SilentServer()))
    let later = try await outbox.queue(shop.note("b", "2"), for: shop.cart("2"))
    let transitions = outbox.transitions()
    let other = try Graph.Store(schema: Storefront.schema, file: shop.file)
    try await (isElsewhere ? other : store).logout()
    var ended: Set<String> = []
    for await transition in transitions where transition.to == .cancelled {
      #expect(transition.reason?.code == "loggedOut")
      ended.insert(transition.operation)
      if ended.count == 2 { break }
    }
    #expect(ended == [earlier, later])
  }
}

/// Receives requests and does not respond.
private struct SilentServer: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}
