import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The queue as the file contains it, next to the outbox's own API.
@Suite struct InspectedQueueTests {
  private func inspect(_ file: URL) throws -> InspectedQueue {
    try FileReader(file: file).read(InspectedQueue.init)
  }

  @Test func isEmptyInAStoreWithoutAnOutbox() throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Storefront.schema, file: file)
    let queue = try inspect(file)
    #expect(queue.operations.isEmpty && queue.receipts.isEmpty)
    withExtendedLifetime(store) {}
  }

  @Test func matchesTheOutbox() async throws {
    let shop = try TestShop()
    let (outbox, _) = try await shop.run { $0.startsPaused = true }
    let temporary = Graph.TemporaryKey.make()
    let creation = try await outbox.queue(shop.creation, for: shop.cart(temporary))
    let note = try await outbox.queue(shop.note("a", temporary), for: shop.cart(temporary))
    let other = try await outbox.queue(
      shop.note("refused", "gid://Cart/9"), for: shop.cart("gid://Cart/9"))
    let queue = try inspect(shop.file)
    let work = try Graph.StoreInspector(file: shop.file).unsentWork()
    #expect(Set(queue.operations.map(\.id)) == Set(work.map(\.id)))
    #expect(queue.operations.map(\.id) == [creation, other, note])
    for operation in queue.operations {
      let known = try #require(work.first { $0.id == operation.id })
      #expect(operation.state == known.state && operation.entity == known.entity.description)
      #expect(operation.name == known.name && operation.document == known.document)
      #expect(operation.variables == known.variables && operation.attempts == 0)
      #expect(try outbox.state(ofOperation: operation.id)?.description == operation.state)
    }
    #expect(queue.operations[2].predecessors == [.init(id: creation, isNeeded: true)])
    #expect(queue.operations[0].successors == [note])
    await outbox.resume()
    await outbox.flush()
    let ended = try inspect(shop.file)
    let receipts = try outbox.receipts()
    #expect(ended.operations.isEmpty && receipts.count == 3)
    #expect(ended.receipts.map(\.operation).sorted() == receipts.map(\.operation).sorted())
    for receipt in receipts {
      let found = try #require(ended.receipts.first { $0.operation == receipt.operation })
      #expect(found.state == receipt.state.description && found.reason == receipt.reason)
      #expect(found.entity == receipt.entity.description && found.name == receipt.name)
    }
  }

  /// The order is that in which the queue returns the operations for sending.
  @Test func hasTheOrderOfSending() async throws {
    let queue = try await TestQueue()
    for (id, cart) in [("a", 1), ("b", 2), ("c", 1), ("d", 3), ("e", 2)] {
      try await queue.enqueue(id, "Cart:\(cart)")
    }
    #expect(try await queue.claim() == "a")
    try await queue.settle("a", .retry(after: .seconds(5), RefusalCount()))
    let found = try inspect(queue.file)
    #expect(found.operations.map(\.id) == ["b", "d", "e", "a", "c"])
    let uptime = Duration.milliseconds(queue.now)
    let delays = found.operations.map { $0.delay(at: uptime) }
    #expect(delays == [.zero, .zero, nil, .seconds(5), nil])
    #expect(found.operations.map(\.attempts) == [0, 0, 0, 1, 0])
    var sent: [String] = []
    while sent.count < 5 {
      guard let next = try await queue.claim() else {
        queue.now += 5_000
        continue
      }
      sent.append(next)
      try await queue.receive(next)
    }
    #expect(sent == found.operations.map(\.id))
  }

  @Test func operationsThatAreStoppedAreLast() async throws {
    let queue = try await TestQueue()
    for (id, cart) in [("a", 1), ("b", 1), ("c", 2)] { try await queue.enqueue(id, "Cart:\(cart)") }
    #expect(try await queue.claim() == "a")
    #expect(try inspect(queue.file).operations.map(\.state) == ["inTransit", "pending", "pending"])
    try await queue.settle("a", .awaitCredentials)
    let found = try inspect(queue.file).operations
    #expect(found.map(\.id) == ["c", "a", "b"])
    #expect(found.map(\.state) == ["pending", "awaitingCredentials", "pending"])
    #expect(found[1].delay(at: .zero) == nil)
  }

  /// A file of a version that did not know the state `waiting`, nor files to send.
  @Test func readsAnEarlierVersionOfTheTables() async throws {
    let queue = try await TestQueue()
    try await queue.enqueue("a", "Cart:1")
    try await queue.write { writer in
      try writer.transaction.execute("DROP VIEW IF EXISTS unsent_work")
      try writer.transaction.execute("ALTER TABLE outbox_operation DROP COLUMN waiting")
      try writer.transaction.execute("DROP TABLE outbox_file")
    }
    let reader = try FileReader(file: queue.file)
    let files = try reader.read { contents throws(Graph.StoreError) in
      let found = try InspectedQueue(contents).operations
      return try found.map { operation throws(Graph.StoreError) in
        (operation.id, operation.state, try InspectedQueue.files(of: operation, in: contents).count)
      }
    }
    #expect(files.map(\.0) == ["a"] && files.map(\.1) == ["pending"] && files.map(\.2) == [0])
  }
}
