import GraphClient
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphOutbox

/// The key of an object that must not be on disk is in the file as long as its operation needs it.
struct TransientKeyTests {
  private let shop: TestShop

  init() throws { shop = try TestShop() }

  /// Every text in the outbox's tables.
  private func texts(in store: Graph.Store) throws -> String {
    let columns = try store.rows(
      """
      SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name LIKE 'outbox%'
      """, []
    ) { ($0.text(0), $0.text(1)) }
    return try columns.flatMap { table, column in
      try store.rows("SELECT CAST(\(column) AS TEXT) FROM \(table)", []) { $0.text(0) }
    }.joined(separator: "\n")
  }

  private func run() async throws -> (outbox: Graph.Outbox, store: Graph.Store) {
    let store = try Graph.Store(schema: Storefront.schema, file: shop.file)
    var configuration = Graph.Outbox.Configuration()
    configuration.backoff = Graph.Backoff(base: .zero, maximum: .zero)
    configuration.startsPaused = true
    return (
      try await Graph.Outbox(
        store: store, client: shop.server.client, configuration: configuration),
      store
    )
  }

  @Test func keysOfEndedOperationsCompareByBytes() {
    let keys = TransientKeys()
    let carts = ["caf\u{E9}", "cafe\u{301}"].map { shop.cart(.init(rawValue: $0)) }
    keys.apply([.ended(operation: "1", carts[0]), .ended(operation: "2", carts[1])])
    #expect(carts.map(keys.operations) == [["1"], ["2"]])
    keys.apply([.forgotten(operation: "1")])
    #expect(carts.map(keys.operations) == [[], ["2"]])
  }

  @Test func keysOfEndedOperationsAreDeletedFromTheFile() async throws {
    let made = "gid://Cart/1"
    let id = Graph.TemporaryKey.make()
    let (first, store) = try await run()
    let created = try await first.queue(shop.creation, for: shop.cart(id))
    let noted = try await first.queue(shop.note("ring", id), for: shop.cart(id))
    let cancelled = try await first.queue(
      shop.note("b", "gid://Cart/7"), for: shop.cart("gid://Cart/7"))
    try await first.cancel(cancelled)
    await first.resume()
    await first.flush()
    #expect(shop.server.effects.log == ["create \(made)", "\(made) ring"])
    let left = try texts(in: store)
    #expect(left.contains(created) && left.contains(noted))
    #expect(!left.contains("gid://"))
    // This run still has the key.
    #expect(try first.key(for: id)?.rawValue == made)
    #expect(try first.state(of: shop.cart(id))?.state == .received)
    #expect(try first.state(of: shop.cart("gid://Cart/1"))?.operation == noted)
    #expect(try first.state(of: shop.cart("gid://Cart/7"))?.state == .cancelled)
    #expect(try first.receipts().allSatisfy { $0.entity.key.hasPrefix("gid://") })
    try await first.queue(shop.note("later", id), for: shop.cart(id))
    await first.flush()
    #expect(shop.server.effects.log.last == "\(made) later")
    await first.close()
    // The next run finds that there was an object, and does not create it again.
    let (second, _) = try await run()
    #expect(try second.state(ofOperation: noted) == .received)
    #expect(
      try second.receipts().map(\.entity.description) == ["Cart:", "Cart:", "Cart:", "Cart:"])
    let error = await #expect(throws: Graph.OutboxError.self) {
      try await second.queue(shop.note("c", id), for: shop.cart(id))
    }
    #expect(error?.code == .unknownTemporaryKey)
  }

  @Test func aLogoutDeletesKeysAndReceiptsFromMemory() async throws {
    let (outbox, store) = try await run()
    try await outbox.queue(shop.note("a", "gid://Cart/7"), for: shop.cart("gid://Cart/7"))
    await outbox.resume()
    await outbox.flush()
    #expect(try outbox.state(of: shop.cart("gid://Cart/7"))?.state == .received)
    try await store.logout()
    #expect(try outbox.state(of: shop.cart("gid://Cart/7")) == nil)
    #expect(try outbox.receipts() == [])
  }
}
