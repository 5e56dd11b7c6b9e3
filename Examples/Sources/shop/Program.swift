import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore
import ShopAPI
import ShopEndpoint

/// A shop that works offline: it shows objects from a store, and queues the user's changes in an
/// outbox.
@main
struct Program {
  static func main() async {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try await visit(file: folder.appending(path: "shop.store"))
    } catch {
      print("shop: \(error)")
      exit(1)
    }
  }

  private static let wishlist: GraphQL.ID = "wishlist-1"

  private static func visit(file: URL) async throws {
    let store = try Graph.Store(schema: Shop.schema, file: file)
    // The client stores the objects of every response.
    let client = Graph.Client(
      endpoint: ShopEndpoint.address, transport: try ShopEndpoint.make(), store: store)
    let catalogue = Shop.buildQuery(named: "Catalogue") {
      $0.products(first: 20) {
        $0.nodes { $0.id().title().maker().price { $0.amount().currency() } }
      }
    }
    _ = try await client.query(catalogue).requireData()
    print("Hats below 50 EUR:")
    let cheap = store.fetch(Shop.Product.self).filter(\.price.amount < 50).sorted(by: \.title)
    for product in try cheap.all() {
      print(
        "  \(product.title), \(product.maker): \(product.price.amount) \(product.price.currency)")
    }

    // Offline: the user's change is in the file when the call returns.
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    let outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
    try await outbox.queue(wish("rain-cap"), for: key)
    try await outbox.queue(wish("top-hat"), for: key)
    print("\(try outbox.summary().count) wishes are queued.")

    // Online again.
    await outbox.resume()
    await outbox.flush()
    for receipt in try outbox.receipts() {
      print("  \(receipt.name): \(receipt.state)", receipt.reason?.message ?? "")
      try await outbox.acknowledge(receipt.operation)
    }
    if let list = try store.object(Shop.Wishlist.self, id: wishlist) {
      print("\(list.title): \(list.products.map(\.title).joined(separator: ", "))")
    }
    try await store.logout()
    print("After logging out: \(try store.count(of: Shop.Wishlist.self)) wish lists")
  }

  private static let key = GraphQL.EntityKey(typeName: "Wishlist", key: wishlist.rawValue)

  private static func wish(_ product: GraphQL.ID) -> Shop.MutationQuery {
    Shop.buildMutation(named: "Wish") {
      $0.wish(
        wishlistId: wishlist, productId: product,
        idempotencyKey: Graph.Outbox.idempotencyKeyPlaceholder
      ) {
        $0
          .wishlist { $0.id().title().products { $0.id().title() } }
          .userErrors { $0.message().code() }
      }
    }
  }
}
