import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// The values that readers see of objects with queued writes.
struct OptimisticChangeTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func store(_ json: String, in store: Graph.Store) async throws {
    try await store.write(json: Array(json.utf8), as: Storefront.Cart.self)
  }

  @Test func theResponseReplacesAnOptimisticUpdate() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await self.store(#"{"id":"1","note":"old","totalQuantity":1}"#, in: store)
    var states = try store.states(of: Storefront.Cart.self, key: "1").makeAsyncIterator()
    #expect(try await states.next()??.note == "old")
    try await outbox.queue(
      shop.note("ring", "1"), for: shop.cart("1"), optimistic: .update(["note": "ring soon"]))
    #expect(try await states.next()??.note == "ring soon")
    // Other values from the server are stored below the optimistic change.
    try await self.store(#"{"id":"1","note":"older","totalQuantity":2}"#, in: store)
    let seen = try #require(try await states.next() ?? nil)
    #expect(seen.note == "ring soon" && seen.totalQuantity == 2)
    await outbox.resume()
    await outbox.flush()
    #expect(try await states.next()??.note == "ring")
    #expect(try store.rows("SELECT 1 FROM overlay_base", []) { $0.integer(0) } == [])
  }

  @Test func aRefusalRemovesOptimisticChangesOfDependentOperations() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let id = Graph.TemporaryKey.make()
    try await self.store(#"{"id":"9","note":"old"}"#, in: store)
    try await outbox.queue(
      shop.note("refused", id), for: shop.cart(id), optimistic: .create(["note": "a"]))
    let second = try await outbox.queue(
      shop.note("b", id), for: shop.cart(id), optimistic: .update(["note": "b"]))
    let third = try await outbox.queue(
      shop.note(id.rawValue, "9"), for: shop.cart("9"), optimistic: .update(["note": "c"]))
    #expect(try shop.note(of: id, in: store) == "b")
    #expect(try shop.note(of: "9", in: store) == "c")
    var transitions = outbox.transitions().makeAsyncIterator()
    await outbox.resume()
    await outbox.flush()
    #expect(try store.object(Storefront.Cart.self, id: id) == nil)
    #expect(try shop.note(of: "9", in: store) == "old")
    var rejected: [String] = []
    while rejected.count < 3, let transition = await transitions.next() {
      if transition.to == .rejected { rejected.append(transition.operation) }
    }
    #expect(rejected.prefix(2) == [third, second])
  }

  @Test func anObjectCreatedOfflineKeepsItsObservers() async throws {
    let id = Graph.TemporaryKey.make()
    do {
      let (outbox, _) = try await shop.run { $0.startsPaused = true }
      try await outbox.queue(
        shop.creation, for: shop.cart(id),
        optimistic: .create(["note": nil, "lines": [], "totalQuantity": 0]))
      try await outbox.queue(
        shop.note("ring", id), for: shop.cart(id), optimistic: .update(["note": "ring"]))
    }
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    #expect(try shop.note(of: id, in: store) == "ring")
    var states = try store.states(of: Storefront.Cart.self, key: id.rawValue).makeAsyncIterator()
    #expect(try await states.next()??.id == id)
    var sync = outbox.states(of: shop.cart(id)).makeAsyncIterator()
    #expect(try await sync.next()??.state == .pending)
    await outbox.resume()
    await outbox.flush()
    let seen = try #require(try await states.next() ?? nil)
    #expect(seen.id == "gid://Cart/1" && seen.note == "ring")
    while let state = try await sync.next(), state?.state != .received {}
    let last = try #require(try outbox.state(of: shop.cart(id)))
    #expect(last.receipt?.entity == shop.cart("gid://Cart/1"))
    #expect(try store.counts()["Cart"] == 1)
  }

  @Test func readersSeeTheOptimisticChangeOfTheLastSave() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await self.store(#"{"id":"1","note":"old"}"#, in: store)
    for note in ["a", "b"] {
      try await outbox.queueSave(
        shop.note(note, "1"), for: shop.cart("1"), optimistic: .update(["note": .string(note)]))
    }
    #expect(try shop.note(of: "1", in: store) == "b")
    let operation = try await outbox.queueSave(shop.note("c", "1"), for: shop.cart("1"))
    #expect(try shop.note(of: "1", in: store) == "old")
    try await outbox.cancel(operation)
    #expect(try shop.note(of: "1", in: store) == "old")
  }

  @Test func rejectsAnOptimisticChangeThatViolatesTheSchema() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let error = await #expect(throws: Graph.StoreError.self) {
      try await outbox.queue(
        shop.note("a", "1"), for: shop.cart("1"), optimistic: .update(["note": 1]))
    }
    #expect(error?.code == .invalidJSON)
    #expect(try outbox.summary().count == 0)
  }

  @Test(arguments: [["noet": "1"], ["lines": ["nodes": [["quantty": 1]]]]] as [GraphQL.JSON])
  func rejectsAnOptimisticChangeOfAnUnknownField(fields: GraphQL.JSON) async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let error = await #expect(throws: Graph.StoreError.self) {
      try await outbox.queue(
        shop.note("a", "1"), for: shop.cart("1"), optimistic: .update(fields))
    }
    #expect(error?.code == .invalidJSON)
    #expect(try outbox.summary().count == 0)
  }

  @Test func rejectsAMutationForATypeThatTheSchemaDoesNotHave() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.queue(
        shop.note("a", "1"), for: GraphQL.EntityKey(typeName: "Catr", key: "1"))
    }
    #expect(error?.code == .notAnEntity)
    #expect(error?.message.contains("Catr") == true)
    #expect(try outbox.summary().count == 0)
  }

  @Test func anOptimisticDeletionIsVisibleImmediately() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await self.store(#"{"id":"1","note":"old"}"#, in: store)
    let operation = try await outbox.queue(
      shop.note("", "1"), for: shop.cart("1"), optimistic: .delete)
    #expect(try store.object(Storefront.Cart.self, id: "1") == nil)
    try await outbox.cancel(operation)
    #expect(try shop.note(of: "1", in: store) == "old")
  }
}
