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
}
