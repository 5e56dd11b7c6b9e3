import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// Which operations may be queued again, and which are refused with a reason.
struct RequeueTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  private func rejectedSave(_ outbox: Graph.Outbox) async throws -> String {
    let id = try await outbox.queueSave(shop.note("refused", "9"), for: shop.cart("9"))
    await outbox.flush()
    #expect(try outbox.state(ofOperation: id) == .rejected)
    return id
  }

  /// The last of several saves counts: an older one must not follow it.
  @Test func rejectsASaveOlderThanAQueuedSave() async throws {
    let (outbox, _) = try await shop.run()
    let id = try await rejectedSave(outbox)
    await outbox.pause()
    let newer = try await outbox.queueSave(shop.note("newer", "9"), for: shop.cart("9"))
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.requeue(id) { $0["note"] = "older" }
    }
    #expect(error?.code.description == "newerSave")
    let other = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.requeue(id, as: shop.note("older", "9"))
    }
    #expect(other?.code.description == "newerSave")
    #expect(try outbox.receipts().map(\.operation) == [id])
    await outbox.resume()
    await outbox.flush()
    #expect(try outbox.state(ofOperation: newer) == .received)
    #expect(shop.server.effects.log == ["9 newer"])
    // There is no newer operation any more, so the user decides.
    try await outbox.requeue(id) { $0["note"] = "older" }
    await outbox.flush()
    #expect(shop.server.effects.log == ["9 newer", "9 older"])
  }

  @Test func variablesThatTheDocumentDoesNotDeclareAreRefused() async throws {
    let (outbox, _) = try await shop.run()
    let id = try await rejectedSave(outbox)
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await outbox.requeue(id) { $0["nte"] = "secret words" }
    }
    #expect(error?.code == .invalidMutation)
    #expect(error?.message.contains("nte") == true)
    #expect(error?.message.contains("secret") == false)
    await #expect(throws: Graph.OutboxError.self) {
      try await outbox.requeue(id) { $0.variables = "text" }
    }
    #expect(try outbox.receipts().map(\.operation) == [id])
    #expect(try outbox.summary().count == 0)
  }

  @Test(arguments: [
    (
      "mutation Note($cartId1:ID!,$note2:String){a(id:$cartId1,note:$note2)}", ["cartId1", "note2"]
    ),
    (#"mutation($a:String="($x) \") $y",$b:[I!]={k:"}"})@log(level:$c){a(x:$d)}"#, ["a", "b"]),
    ("mutation @log(level:1){a(x:$d)}", []), ("mutation{a(x:$d)}", []), ("{a(x:$d)}", []), ("", []),
  ])
  func findsTheDeclaredVariablesOfADocument(document: String, names: [String]) {
    #expect(DeclaredVariables(in: document).names == names)
  }

  /// If a file is not the one that the user chose, it is sent only if the program requests that.
  @Test(arguments: [true, false])
  func aFileThatHasChangedIsRefused(isThere: Bool) async throws {
    let queue = try await TestQueue()
    let photo = try TemporaryFolder().file("photo")
    try Data("pixels".utf8).write(to: photo)
    var new = NewOperation(
      id: "a", entity: GraphQL.EntityKey("Cart:1")!, kind: .mutation, name: "",
      document: "mutation($file1:Upload){photo(file:$file1){ok}}", variables: ["file1": nil],
      root: "", isRepeatable: true)
    let upload = GraphQL.Upload(.file(photo), fileName: "p.png", contentType: "image/png")
    new.files = [try QueuedFile(place: "variables.file1", upload)]
    new = try new.withChecksums()
    try await queue.write { [new] in _ = try $0.enqueue(new) }
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .reject(Graph.RejectionReason(message: "no")))
    if isThere {
      try Data("other".utf8).write(to: photo)
    } else {
      try FileManager.default.removeItem(at: photo)
    }
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    // The queue's clock is near 1970.
    configuration.receiptLifetime = .seconds(200 * 365 * 86_400)
    let outbox = try await Graph.Outbox(
      store: queue.store, client: shop.server.client, configuration: configuration)
    let error = await #expect(throws: Graph.OutboxError.self) { try await outbox.requeue("a") }
    #expect(error?.code == .invalidMutation)
    #expect(try outbox.receipts().map(\.operation) == ["a"])
    #expect(try outbox.summary().count == 0)
  }
}
