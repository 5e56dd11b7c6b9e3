import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphOutbox

/// Queued operations that are expected to change lists.
struct OptimisticListTests {
  private let shop: TestShop
  private static let list = Graph.StoredList.list(\Storefront.QueryRoot.products)

  init() throws { shop = try TestShop() }

  private func product(_ id: String) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: "Product", key: id)
  }

  private var query: Storefront.QueryRootQuery {
    Storefront.buildQuery {
      $0.products(first: 5) { $0.nodes { $0.id().title() }.pageInfo { $0.hasNextPage() } }
    }
  }

  private func write(_ ids: [String], in store: Graph.Store) async throws {
    let nodes = ids.map { #"{"id":"\#($0)","title":"\#($0)"}"# }.joined(separator: ",")
    let operation = try query.operation()
    let data = #"{"products":{"nodes":[\#(nodes)],"pageInfo":{"hasNextPage":false}}}"#
    try await store.write(
      operation.response(from: Array(#"{"data":\#(data)}"#.utf8)), of: operation)
  }

  private func titles(_ store: Graph.Store) throws -> [String]? {
    try store.read(query.operation()).data?.products.nodes.map(\.title)
  }

  private var change: Graph.OptimisticChange {
    [
      .update(["note": "expected"]), .create(product("n"), ["title": "n"]),
      .insert(product("n"), into: Self.list, orderedBy: \Storefront.Product.title),
      .remove(product("c"), from: Self.list),
    ]
  }

  @Test func listsAreChangedUntilTheOperationEnds() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await store.write(json: Array(#"{"id":"1","note":"old"}"#.utf8), as: Storefront.Cart.self)
    try await write(["a", "c", "x"], in: store)
    try await outbox.queue(shop.note("ring", "1"), for: shop.cart("1"), optimistic: change)
    #expect(try titles(store) == ["a", "n", "x"])
    #expect(try shop.note(of: "1", in: store) == "expected")
    try await write(["b", "c", "z"], in: store)
    #expect(try titles(store) == ["b", "n", "z"])
    await outbox.resume()
    await outbox.flush()
    // The object that was expected is not in the response.
    #expect(try titles(store) == ["b", "z"])
    #expect(try shop.note(of: "1", in: store) == "ring")
  }

  /// A list that the response does not contain keeps what the operation has done to it.
  @Test func listsKeepTheChangeOfAnOperationThatIsCarriedOut() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await write(["a", "c"], in: store)
    try await store.write(json: Array(#"{"id":"n","title":"n"}"#.utf8), as: Storefront.Product.self)
    try await outbox.queue(
      shop.note("ring", "1"), for: shop.cart("1"),
      optimistic: [
        .prepend(product("n"), to: Self.list), .remove(product("a"), from: Self.list),
      ])
    try await outbox.queue(
      shop.note("refused", "2"), for: shop.cart("2"),
      optimistic: [.remove(product("c"), from: Self.list)])
    #expect(try titles(store) == ["n"])
    await outbox.resume()
    await outbox.flush()
    #expect(try titles(store) == ["n", "c"])
    await outbox.close()
    #expect(try titles(Graph.Store(schema: Storefront.schema, file: shop.file)) == ["n", "c"])
  }

  @Test func listsAreChangedAfterARestart() async throws {
    let operation: String
    do {
      let (outbox, store) = try await shop.run { $0.startsPaused = true }
      try await store.write(json: Array(#"{"id":"1","note":"old"}"#.utf8), as: Storefront.Cart.self)
      try await write(["a", "c", "x"], in: store)
      operation = try await outbox.queue(
        shop.note("refused", "1"), for: shop.cart("1"), optimistic: change)
    }
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    #expect(try titles(store) == ["a", "n", "x"])
    try await write(["b", "c"], in: store)
    #expect(try titles(store) == ["b", "n"])
    await outbox.resume()
    await outbox.flush()
    #expect(try titles(store) == ["b", "c"])
    #expect(try store.counts()["Product"] == 4)
    let receipt = try #require(try outbox.receipts().first { $0.operation == operation })
    #expect(receipt.optimistic == change)
  }

  /// A client's change is on top of those in the queue.
  @Test func aChangeOfAClientIsAboveTheQueue() async throws {
    let (outbox, store) = try await shop.run { $0.startsPaused = true }
    try await store.write(json: Array(#"{"id":"1","note":"old"}"#.utf8), as: Storefront.Cart.self)
    try await write(["a"], in: store)
    let cart = shop.cart("1")
    let id = try store.show(
      [.update(cart, ["note": "client"]), .append(product("n"), to: Self.list)], in: nil)
    let operation = try await outbox.queue(
      shop.note("ring", "1"), for: cart,
      optimistic: [
        .update(["note": "queue"]), .create(product("n"), ["title": "n"]),
        .prepend(product("n"), to: Self.list),
      ])
    #expect(try shop.note(of: "1", in: store) == "client")
    #expect(try titles(store) == ["n", "a"])
    store.hide(id)
    #expect(try shop.note(of: "1", in: store) == "queue")
    try await outbox.cancel(operation)
    #expect(try shop.note(of: "1", in: store) == "old")
    #expect(try titles(store) == ["a"])
  }

  @Test(arguments: [
    (#"{"create":{"note":"a"}}"#, Graph.OptimisticChange.create(["note": "a"])),
    (#"{"update":{"note":"a"}}"#, .update(["note": "a"])), (#"{"delete":null}"#, .delete),
  ])
  func readsTheTextOfEarlierVersions(text: String, change: Graph.OptimisticChange) {
    #expect(Graph.OptimisticChange(text: text) == change)
    #expect(change.json.description == text)
  }

  @Test func textKeepsEveryChange() throws {
    let cart = shop.cart("1")
    let change: Graph.OptimisticChange = [
      .create(["note": "a"]), .update(cart, ["note": nil]), .delete(cart),
      .append(product("1"), to: Self.list),
      .prepend(product("2"), to: .list(\Storefront.QueryRoot.products, arguments: ["query": "x"])),
      .insert(
        product("3"), into: .list(\Storefront.QueryRoot.products, arguments: .all),
        orderedBy: \Storefront.Product.title, descending: true),
      .remove(
        product("4"),
        from: .list("products", of: cart, arguments: .containing(["query": "x"]))),
    ]
    #expect(Graph.OptimisticChange(text: change.json.description) == change)
    #expect(Graph.OptimisticChange(text: #"[{"rename":"x"}]"#) == nil)
    #expect(!"\(change)".contains("gid") && "\(change)".contains("Query"))
  }

  /// Objects of transient types are only in memory, and so are lists with them.
  @Test func transientObjectsAreNotInTheText() async throws {
    let store = try Graph.Store(schema: Storefront.schema, file: shop.file)
    let cart = shop.cart("1")
    let product = product("1")
    let texts = try await store.write { transaction in
      [
        Graph.StoreChange.update(cart, ["note": "secret"]).text(storedBy: transaction, of: cart),
        Graph.StoreChange([.delete(cart), .update(product, ["title": "t"])]).text(
          storedBy: transaction, of: cart),
      ]
    }
    #expect(texts == ["", #"{"update":{"title":"t"},"object":"Product:1"}"#])
  }
}
