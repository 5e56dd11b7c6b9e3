import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import StorefrontAPI

/// A cart that is filled while the endpoint is unreachable, and delivered by a later launch.
struct OfflineWrites {
  let store: Graph.Store
  let outbox: Graph.Outbox
  let screen: Screen

  /// Creates a cart that the server does not know, and puts a line into it.
  func queueCart(with merchandise: [GraphQL.ID]) async throws {
    screen.title("A cart, offline")
    guard let first = merchandise.first else { return screen.problem("There is nothing to buy.") }
    let id = Graph.TemporaryKey.make()
    let cart = GraphQL.EntityKey(typeName: "Cart", key: id.rawValue)
    let create = Storefront.buildMutation(named: "OpenCart") {
      $0
        .cartCreate(idempotencyKey: Graph.Outbox.idempotencyKeyPlaceholder) {
          $0.cart { $0.id().totalQuantity() }.userErrors { $0.message() }
        }
    }
    let line = Storefront.CartLineInput(merchandiseId: first, quantity: 2)
    let add = Storefront.buildMutation(named: "AddLines") {
      $0
        .cartLinesAdd(cartId: id, lines: [line]) {
          $0.cart { $0.id().totalQuantity() }.userErrors { $0.message() }
        }
    }
    try await outbox.queue(create, for: cart, optimistic: .create(["totalQuantity": 0]))
    try await outbox.queue(add, for: cart, optimistic: .update(["totalQuantity": 2]))
    let quantity = try store.object(Storefront.Cart.self, id: id)?.totalQuantity ?? 0
    screen.row("Units in the cart", "\(quantity)")
    screen.aside("\(try outbox.summary().count) writes are queued in the file.")
  }

  /// Sends the queued operations of earlier launches.
  func deliver() async throws {
    // The outbox began to send when it was opened, and may have finished already.
    await outbox.flush()
    let receipts = try outbox.receipts()
    let unsent = try outbox.summary().count
    guard unsent > 0 || !receipts.isEmpty else { return }
    screen.title("Sending the writes that were queued offline")
    for receipt in receipts {
      screen.row("\(receipt.name) for \(receipt.entity.key)", "\(receipt.state)")
      try await outbox.acknowledge(receipt.operation)
    }
    screen.aside("\(unsent) writes are still queued.")
  }
}
