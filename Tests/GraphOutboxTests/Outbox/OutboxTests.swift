import Foundation
import GraphClient
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import Testing

@testable import GraphOutbox

struct OutboxTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  @Test func anObjectCreatedOfflineGetsItsServerKey() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let id = Graph.TemporaryKey.make()
    var steps = outbox.transitions().makeAsyncIterator()
    let created = try await outbox.queue(shop.creation, for: shop.cart(id))
    let noted = try await outbox.queue(shop.note("ring", id), for: shop.cart(id))
    #expect(try outbox.summary().count == 2)
    #expect(try outbox.state(of: shop.cart(id))?.state == .pending)
    #expect(try outbox.state(ofOperation: noted) == .blocked)
    #expect(shop.server.effects.log == [])
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["create gid://Cart/1", "gid://Cart/1 ring"])
    #expect(try outbox.key(for: id) == "gid://Cart/1")
    #expect(try store.object(Storefront.Cart.self, key: "gid://Cart/1")?.note == "ring")
    #expect(try outbox.summary() == Graph.Outbox.Summary(count: 0, oldestAge: nil))
    #expect(try Set(outbox.receipts().map(\.operation)) == [created, noted])
    try await outbox.acknowledge(created)
    #expect(try outbox.receipts().map(\.state) == [.received])
    var path: [Graph.OperationState] = []
    while let step = await steps.next() {
      if step.operation == noted { path.append(step.to) }
      if step.operation == noted && step.to.isFinal { break }
    }
    #expect(path == [.blocked, .pending, .inTransit, .delivered, .received])
  }

  @Test func operationsOfAnEarlierRunAreSent() async throws {
    let id = Graph.TemporaryKey.make()
    do {
      let (outbox, _) = try await shop.run { $0.startsPaused = true }
      try await outbox.queue(shop.creation, for: shop.cart(id))
      try await outbox.queue(shop.note("ring", id), for: shop.cart(id))
    }
    let (outbox, store) = try await shop.run()
    await outbox.flush()
    #expect(shop.server.effects.log == ["create gid://Cart/1", "gid://Cart/1 ring"])
    #expect(try store.object(Storefront.Cart.self, key: "gid://Cart/1")?.note == "ring")
  }

  @Test func aLostResponseIsRetriedWithTheSameIdempotencyKey() async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(shop.creation, for: shop.cart(Graph.TemporaryKey.make()))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["create gid://Cart/1"])
    #expect(shop.server.endpoint.requests.count == 2)
  }

  @Test func aLostResponseWithoutIdempotencyKeyIsUncertain() async throws {
    shop.server.endpoint.enqueue(.cutOff(afterBytes: 5))
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(
      shop.note("ring", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .uncertain)
    #expect(shop.server.endpoint.requests.count == 1)
    try await outbox.confirm(id)
    #expect(try outbox.state(ofOperation: id) == .received)
  }

  @Test func aRefusalIsInTheReceipt() async throws {
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(
      shop.note("refused", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    await outbox.flush()
    let receipt = try #require(try outbox.receipts().first)
    #expect(receipt.operation == id)
    #expect(receipt.state == .rejected)
    #expect(receipt.name == "Note")
    #expect(receipt.reason == Graph.RejectionReason(code: "INVALID", message: "no such note"))
  }

  @Test func theQueueAwaitsCredentialsAfterARefusal() async throws {
    shop.server.endpoint.enqueue(.status(401))
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(
      shop.note("ring", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .awaitingCredentials)
    let other = try await outbox.queue(
      shop.note("a", "gid://Cart/8"), for: shop.cart("gid://Cart/8"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: other) == .pending)
    try await outbox.credentialsRenewed()
    await outbox.flush()
    #expect(Set(shop.server.effects.log) == ["gid://Cart/9 ring", "gid://Cart/8 a"])
  }

  @Test func rejectsSavesOfUnsupportedTypes() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let first = try await outbox.queueSave(
      shop.note("a", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    #expect(
      try await outbox.queueSave(shop.note("b", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
        == first)
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.queueSave(shop.note("c", "1"), for: GraphQL.EntityKey("Product:1")!)
    }
    #expect(error?.code == .unsupportedOperation)
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["gid://Cart/9 b"])
  }

  @Test func anIncompleteMutationIsNotQueued() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let mutation = Storefront.buildMutation { $0.cartNoteUpdate(cartId: "9", note: "a") { _ in } }
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.queue(mutation, for: shop.cart("9"))
    }
    #expect(error?.code == .invalidMutation && error?.cause is GraphQL.InvalidQuery)
    #expect(try store.rows("SELECT 1 FROM outbox_operation", []) { $0.integer(0) } == [])
  }

  @Test func aPendingOperationCanBeCancelled() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let id = try await outbox.queue(
      shop.note("ring", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    try await outbox.cancel(id)
    #expect(try outbox.state(ofOperation: id) == .cancelled)
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == [])
    let error = await #expect(throws: Graph.OutboxError.self) { try await outbox.retry(id) }
    #expect(error?.code == .unknownOperation)
  }

  @Test func theInspectorReadsTheQueueFromTheFile() async throws {
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let id = try await outbox.queue(shop.note("ring", "9"), for: shop.cart("9"))
    let work = try Graph.StoreInspector(file: shop.file).unsentWork()
    #expect(work.map(\.id) == [id] && work.map(\.name) == ["Note"])
    #expect(work.map(\.state) == ["pending"] && work.map(\.entity.key) == ["9"])
  }

  @Test func rejectsAStoreInMemory() async throws {
    let store = Graph.Store(inMemory: Storefront.schema)
    await #expect(throws: Graph.StoreError.self) {
      _ = try await Graph.Outbox(store: store, client: shop.server.client)
    }
  }

  /// If the disk fails while a response is stored, the write is retried in the same run.
  @Test func aResponseIsStoredAfterADiskErrorEnds() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let id = try await outbox.queue(shop.creation, for: shop.cart(Graph.TemporaryKey.make()))
    func rename(_ from: String, _ to: String) async throws {
      try await store.write { _ = try $0.execute("ALTER TABLE \(from) RENAME TO \(to)") }
    }
    try await rename("outbox_receipt", "elsewhere")
    await outbox.resume()
    await outbox.flush()
    #expect(try outbox.summary().count == 1)
    try await rename("elsewhere", "outbox_receipt")
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .received)
    #expect(shop.server.effects.log == ["create gid://Cart/1"])
    #expect(shop.server.endpoint.requests.count == 1)
  }

  /// Only the text of the operation is left, which shows where the values belong.
  @Test func aResponseWithAliasesIsStoredAfterARestart() async throws {
    let shop = try TestShop()
    let mutation = Storefront.buildMutation(named: "Note") {
      $0.cartNoteUpdate(alias: "changed", cartId: "1", note: "mine") {
        $0.cart(alias: "new") { $0.id().note(alias: "text") }
      }
    }
    do {
      let (outbox, _) = try await shop.run { $0.startsPaused = true }
      try await outbox.queue(mutation, for: shop.cart("1"))
      await outbox.close()
    }
    let (outbox, store) = try await shop.run()
    await outbox.flush()
    #expect(try outbox.receipts().map(\.state) == [.received])
    #expect(try shop.note(of: "1", in: store) == "mine")
  }
}
