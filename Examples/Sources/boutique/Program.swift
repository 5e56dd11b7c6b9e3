import BoutiqueAPI
import BoutiqueUI
import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore

/// A visit to a boutique: a list, a page of one product, a search, and a cart that works offline.
@main
struct Program {
  static func main() async {
    let folder = FileManager.default.temporaryDirectory.appending(path: "boutique-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let store = try Graph.Store(
        schema: Boutique.schema, file: folder.appending(path: "boutique.store"))
      let client = Graph.Client(
        endpoint: URL(string: "https://boutique.example/graphql")!, transport: try makeEndpoint(),
        store: store)
      try await list(with: client)
      try await show("bowler", with: client)
      print("Search:")
      for line in try await search("bow", with: client) { print("  \(line)") }
      try await buy("bowler", with: client, store)
    } catch {
      print("boutique: \(error)")
      exit(1)
    }
  }

  private static func list(with client: Graph.Client) async throws {
    print("Hats:")
    var cursor: String?
    repeat {
      let query = ProductListQuery(category: .hats, after: cursor)
      let page = try await client.query(query).requireData().products
      for product in page.nodes { print("  \(product.productCard.text)") }
      cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : nil
    } while cursor != nil
  }

  private static func show(_ id: GraphQL.ID, with client: Graph.Client) async throws {
    let query = ProductPageQuery(id: id, withReviews: true)
    guard let product = try await client.query(query).requireData().product else {
      return print("There is no product \(id).")
    }
    print("\(product.productCard.text), by \(product.brand.name): \(product.description)")
    for review in product.reviews ?? [] { print("  \(review.stars) stars. \(review.text)") }
  }

  private static let cart: GraphQL.ID = "cart-1"

  private static func buy(
    _ product: GraphQL.ID, with client: Graph.Client, _ store: Graph.Store
  ) async throws {
    let query = CartQuery(id: cart)
    _ = try await client.query(query)
    // A view would show each state.
    var states = store.states(of: try query.operation()).makeAsyncIterator()
    func showNext() async throws { print(try await states.next()?.data?.cart?.contents.text ?? "") }
    try await showNext()

    // Offline: the user's change is visible at once.
    var configuration = Graph.Outbox.Configuration()
    configuration.startsPaused = true
    let outbox = try await Graph.Outbox(store: store, client: client, configuration: configuration)
    let mutation = AddToCartMutation(
      cart: cart, line: Boutique.LineInput(productId: product, quantity: 2),
      key: Graph.Outbox.idempotencyKeyPlaceholder)
    try await outbox.queue(
      mutation, for: GraphQL.EntityKey(typeName: "Cart", key: cart.rawValue),
      optimistic: .update(["quantity": 2]))
    try await showNext()

    // Online again.
    await outbox.resume()
    await outbox.flush()
    try await showNext()

    // Any stored object can be read as a fragment.
    let stored = try store.read(ProductCard.self, key: product.rawValue)
    print("Stored: \(stored.data?.text ?? "")")
  }
}

extension Contents {
  fileprivate var text: String {
    let lines = lines.map { "\($0.quantity) × \($0.product.productCard.text)" }
    return (["Cart: \(quantity) items"] + lines).joined(separator: ", ")
  }
}
