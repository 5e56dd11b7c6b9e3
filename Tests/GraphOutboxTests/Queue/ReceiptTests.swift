import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The content that the user wrote survives a rejection until it is acknowledged.
struct ReceiptTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func reject() async throws -> String {
    let (outbox, _) = try await shop.run()
    let id = try await outbox.queue(
      shop.note("refused", "9"), for: shop.cart("9"), optimistic: .create(["note": "mine"]))
    await outbox.flush()
    await outbox.close()
    return id
  }

  @Test func aRejectionReceiptContainsTheUsersInput() async throws {
    let id = try await reject()
    let (outbox, _) = try await shop.run()
    let receipt = try #require(try outbox.receipts().first)
    #expect(receipt.operation == id && receipt.name == "Note" && receipt.state == .rejected)
    #expect(receipt.reason == Graph.RejectionReason(code: "INVALID", message: "no such note"))
    #expect(receipt["note"] == "refused" && receipt["cartId"] == "9")
    #expect(receipt.optimistic == .create(["note": "mine"]))
    #expect(receipt.optimistic?.fields == ["note": "mine"])
    try await outbox.acknowledge(id)
    #expect(try outbox.receipts() == [])
  }

  @Test func descriptionsDoNotContainTheUsersInput() async throws {
    _ = try await reject()
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await outbox.queue(shop.note("refused", "8"), for: shop.cart("8"))
    let receipts = try outbox.receipts()
    let values: [Any] = [
      receipts, try outbox.state(of: shop.cart("9")) as Any,
      Graph.OptimisticChange.update(["note": "refused"]), try await store.logout(),
    ]
    for value in values {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(!text.contains("\"refused") && !text.contains("string(\"refused"))
      #expect(!text.contains("GraphJSON"))
    }
  }

  /// Nothing is kept of an operation that was carried out.
  @Test func aReceiptOfASuccessHasNoContent() async throws {
    let (outbox, store) = try await shop.run()
    try await outbox.queue(
      shop.note("ring", "9"), for: shop.cart("9"), optimistic: .create(["note": "ring"]))
    await outbox.flush()
    let receipt = try #require(try outbox.receipts().first)
    #expect(receipt.state == .received && receipt.variables == nil && receipt.optimistic == nil)
    let texts = try store.rows(
      "SELECT document || variables || optimistic FROM outbox_receipt", []
    ) {
      $0.text(0)
    }
    #expect(texts == [""])
  }

  @Test func aRejectedOperationCanBeEditedAndRequeued() async throws {
    let id = try await reject()
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let again = try await outbox.requeue(id) { draft in
      #expect(draft.name == "Note" && draft["note"] == "refused")
      draft["note"] = "shorter"
      draft.optimistic = .create(["note": "shorter soon"])
    }
    #expect(again != id)
    #expect(try outbox.receipts() == [])
    #expect(try shop.note(of: "9", in: store) == "shorter soon")
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 shorter"])
    #expect(try outbox.state(ofOperation: again) == .received)
    #expect(try shop.note(of: "9", in: store) == "shorter")
  }

  @Test func anotherMutationCanReplaceARejectedOne() async throws {
    let id = try await reject()
    let (outbox, _) = try await shop.run()
    try await outbox.requeue(id, as: shop.note("other", "9"))
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 other"])
    let error = await #expect(throws: Graph.OutboxError.self) { try await outbox.requeue(id) }
    #expect(error?.code == .unknownOperation)
  }

  private struct Cancelled: Error {}

  @Test func anEditThatFailsChangesNothing() async throws {
    let id = try await reject()
    let (outbox, _) = try await shop.run()
    await #expect(throws: Cancelled.self) {
      try await outbox.requeue(id) { _ in throw Cancelled() }
    }
    #expect(try outbox.receipts().map(\.operation) == [id])
    #expect(try outbox.summary().count == 0)
  }

  /// An object whose creation was rejected is created, with the later changes to it.
  @Test func dependentsOfARejectedCreationCanBeRequeued() async throws {
    let id = Graph.TemporaryKey.make()
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    let create = try await outbox.queue(
      shop.note("refused", id), for: shop.cart(id), optimistic: .create(["note": "a"]))
    let after = try await outbox.queue(
      shop.note("b", id), for: shop.cart(id), optimistic: .update(["note": "b"]))
    await outbox.resume()
    await outbox.flush()
    #expect(try outbox.receipts().map(\.state) == [.rejected, .rejected])
    // It cannot be sent before the operations that it needs.
    let error = await #expect(throws: Graph.OutboxError.self) { try await outbox.requeue(after) }
    #expect(error?.code == .unknownTemporaryKey)
    await outbox.pause()
    try await outbox.requeue(create, as: shop.creation, optimistic: .create(["note": "c"]))
    try await outbox.requeue(after)
    #expect(try shop.note(of: id, in: store) == "b")
    await outbox.resume()
    await outbox.flush()
    #expect(shop.server.effects.log == ["create gid://Cart/1", "gid://Cart/1 b"])
    #expect(try outbox.receipts().map(\.state) == [.received, .received])
  }

  /// Each request has an idempotency key of its own: the server remembers the refused one.
  @Test func aRequeuedOperationGetsANewIdempotencyKey() async throws {
    shop.server.endpoint.enqueue(.status(422))
    let (outbox, _) = try await shop.run { $0.idempotencyHeader = "Idempotency-Key" }
    let id = try await outbox.queue(shop.creation, for: shop.cart(Graph.TemporaryKey.make()))
    await outbox.flush()
    let again = try await outbox.requeue(id)
    await outbox.flush()
    let keys = shop.server.endpoint.requests.map { $0.http.headers["Idempotency-Key"] }
    #expect(keys == [id, again])
    #expect(shop.server.effects.log == ["create gid://Cart/1"])
  }

  /// No file contains the expected values of transient objects.
  @Test func optimisticChangesOfTransientTypesAreNotWritten() async throws {
    let store = try Graph.Store(schema: Storefront.schema, file: shop.file)
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    let outbox = try await Graph.Outbox(
      store: store, client: shop.server.client, configuration: configuration)
    try await outbox.queue(
      shop.note("a", "9"), for: shop.cart("9"), optimistic: .create(["note": "secret"]))
    let texts = try store.rows("SELECT optimistic FROM outbox_operation", []) { $0.text(0) }
    #expect(texts == [""])
    let stored = try await store.write { transaction in
      [
        transaction.storable(["a": 1], ofType: "Cart"),
        transaction.storable(["name": "n", "cart": ["id": "1"]], ofType: "Shop"),
      ]
    }
    #expect(stored[0] == nil && stored[1]?["name"] == "n")
  }

  @Test func theLogoutReportContainsUnsentOperations() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await outbox.queue(shop.note("never sent", "9"), for: shop.cart("9"))
    let tool = try Graph.StoreInspector(file: shop.file).unsentWork()
    #expect(tool.map { $0.variables.description.contains("never sent") } == [true])
    let unsent = try await store.logout().unsent
    #expect(unsent.map { $0.variables.description.contains("never sent") } == [true])
    #expect(unsent.first?.document.contains("cartNoteUpdate") == true)
    #expect(try outbox.receipts() == [])
  }

  @Test func aRequeuedOperationKeepsItsFiles() async throws {
    let queue = try await TestQueue()
    let photo = try TemporaryFolder().file("photo")
    try Data("pixels".utf8).write(to: photo)
    var new = NewOperation(
      id: "a", entity: GraphQL.EntityKey("Cart:1")!, kind: .mutation, name: "",
      document: "mutation { a }", variables: [:], root: "", isRepeatable: true)
    let upload = GraphQL.Upload(.file(photo), fileName: "p.png", contentType: "image/png")
    new.files = [try QueuedFile(place: "variables.file", upload)]
    try await queue.write { [new] in _ = try $0.enqueue(new) }
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .reject(Graph.RejectionReason(message: "no")))
    func files() throws -> [Int64] {
      try queue.store.rows("SELECT operation FROM outbox_file", []) { $0.integer(0) }
    }
    #expect(try files() == [1])
    try await queue.write {
      let again = try require($0.rejected("a", as: "b"))
      #expect(again.files.map(\.path) == [photo.path])
      _ = try $0.enqueue(again, inPlaceOf: "a")
    }
    #expect(try files() == [2])
    try await queue.finish("b", .cancelled)
    #expect(try files() == [])
  }

  @Test(.timeLimit(.minutes(2)))
  func prunesOldReceiptsWhileTheOutboxRuns() async throws {
    let (outbox, _) = try await shop.run { $0.receiptLifetime = .milliseconds(300) }
    // On a busy machine, an observer of the state may see neither the operation nor its receipt.
    var transitions = outbox.transitions().makeAsyncIterator()
    try await outbox.queue(shop.note("fine", "9"), for: shop.cart("9"))
    while let transition = await transitions.next(), transition.to != .received {}
    while try !outbox.receipts().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try outbox.state(of: shop.cart("9")) == nil)
  }
}
