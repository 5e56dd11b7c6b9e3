import GraphCompatibility
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

/// The older names for queueing, in all their forms, with keys and with objects.
@Suite(.timeLimit(.minutes(5)))
struct TransactionTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func pausedOutbox() async throws -> (Graph.Outbox, Storefront.Cart) {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await store.write(
      json: Array(#"{"id":"9","note":"old"}"#.utf8), as: Storefront.Cart.self)
    return (outbox, try #require(try store.object(Storefront.Cart.self, id: "9")))
  }

  private func log(of outbox: Graph.Outbox) async throws -> [String] {
    await outbox.resume()
    await outbox.flush()
    return shop.server.effects.log
  }

  @Test func sendsEveryTransaction() async throws {
    let (outbox, cart) = try await pausedOutbox()
    let first = try await outbox.transact(
      shop.note("a", "9"), for: shop.cart("9"), optimistic: .update(["note": "a"]))
    let second = try await outbox.transact(shop.note("b", "9"), for: cart, isIdempotent: true)
    #expect(first != second)
    #expect(try outbox.state(ofOperation: first) == .pending)
    #expect(try await log(of: outbox) == ["9 a", "9 b"])
  }

  @Test func sendsOnlyLastPersistOfObject() async throws {
    let (outbox, cart) = try await pausedOutbox()
    let first = try await outbox.persist(shop.note("a", "9"), for: shop.cart("9"))
    #expect(try await outbox.persist(shop.note("b", "9"), for: cart) == first)
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.persist(shop.note("c", "1"), for: GraphQL.EntityKey("Product:1")!)
    }
    #expect(error?.code == .unsupportedOperation)
    #expect(try await log(of: outbox) == ["9 b"])
  }

  @MainActor @Test func completionsAreCalledOnTheMainQueueInOrder() async throws {
    let (outbox, cart) = try await pausedOutbox()
    let (results, continuation) = AsyncStream.makeStream(of: Result<String, any Error>.self)
    let completion: Graph.Outbox.QueueCompletion = {
      MainActor.assertIsolated()
      continuation.yield($0)
    }
    outbox.persist(shop.note("a", "9"), for: cart, completion: completion)
    outbox.persist(shop.note("b", "9"), for: shop.cart("9"), completion: completion)
    outbox.transact(shop.note("c", "9"), for: cart, completion: completion)
    outbox.transact(
      shop.note("d", "9"), for: shop.cart("9"), isIdempotent: true, completion: completion)
    var ids: [String] = []
    for await result in results {
      ids.append(try result.get())
      if ids.count == 4 { break }
    }
    #expect(ids[0] == ids[1] && Set(ids).count == 3)
    #expect(try await log(of: outbox) == ["9 b", "9 c", "9 d"])
  }

  @MainActor @Test func completionReceivesError() async throws {
    let (outbox, _) = try await pausedOutbox()
    let result: Result<String, any Error> = await withCheckedContinuation { continuation in
      outbox.persist(shop.note("c", "1"), for: GraphQL.EntityKey("Product:1")!) {
        continuation.resume(returning: $0)
      }
    }
    let error = #expect(throws: Graph.OutboxError.self) { try result.get() }
    #expect(error?.code == .unsupportedOperation)
  }

  @Test func blockingCallsReturnAfterQueueing() async throws {
    let (outbox, cart) = try await pausedOutbox()
    let saved = try outbox.persistAndWait(shop.note("a", "9"), for: cart)
    #expect(try outbox.persistAndWait(shop.note("b", "9"), for: shop.cart("9")) == saved)
    let id = try outbox.transactAndWait(shop.note("ring", "9"), for: shop.cart("9"))
    #expect(try outbox.state(ofOperation: id) == .pending)
    try outbox.transactAndWait(shop.note("twice", "9"), for: cart)
    #expect(throws: Graph.OutboxError.self) {
      try outbox.persistAndWait(shop.note("c", "9"), for: GraphQL.EntityKey("Product:1")!)
    }
    #expect(try await log(of: outbox) == ["9 b", "9 ring", "9 twice"])
  }

  /// A reset of the store empties the queue.
  @Test func resetEmptiesOutbox() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await outbox.transact(shop.note("a", "9"), for: shop.cart("9"))
    try await store.reset()
    #expect(try await log(of: outbox) == [])
  }
}
