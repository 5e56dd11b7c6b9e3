import Foundation
import GraphClient
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphTesting
import StorefrontAPI

/// The parts of the demo, one after the other.
struct DemoSteps {
  let client: Graph.Client
  let embedded: MockEndpoint?
  let screen: Screen

  func play() async throws {
    let merchandise = try await browse()
    try await fillCart(with: merchandise)
    try await readPartialData()
    try await pollCheckout()
    try await followOrder()
  }

  /// The output of a launch without network: the catalogue in the store.
  func playOffline() async throws -> [GraphQL.ID] {
    let merchandise = try await browse(.cacheFirst)
    screen.aside("From the store; the endpoint is switched off.")
    return merchandise
  }

  /// A query with a fragment: the shop and its first products.
  private func browse(_ policy: Graph.CachePolicy = .networkOnly) async throws -> [GraphQL.ID] {
    let card = Storefront.ProductQuery.fragment("ProductCard") {
      $0
        .title().vendor()
        .priceRange { $0.min { $0.amount().currencyCode() } }
        .variants(first: 1) { $0.nodes { $0.id() } }
    }
    let query = Storefront.buildQuery(named: "Browse") {
      $0
        .shop { $0.name().description() }
        .products(first: 4) { $0.nodes { $0.spread(card) } }
    }
    let root = try await client.query(query, cachePolicy: policy).requireData()
    screen.title(root.shop.name)
    screen.line(root.shop.description ?? "")
    let products = root.products.nodes
    for product in products {
      let price = product.priceRange.min
      screen.row("\(product.title), \(product.vendor)", text(price))
    }
    return products.compactMap { $0.variants.nodes.first?.id }
  }

  /// Mutations, and an error that the user can correct.
  private func fillCart(with merchandise: [GraphQL.ID]) async throws {
    screen.title("A cart")
    let create = Storefront.buildMutation { $0.cartCreate { $0.cart { $0.id() } } }
    guard let cart = try await client.mutate(create).requireData().cartCreate.cart else { return }
    let lines = merchandise.prefix(2).map {
      Storefront.CartLineInput(merchandiseId: $0, quantity: $0 == merchandise.first ? 2 : 1)
    }
    let unknown = Storefront.CartLineInput(merchandiseId: "gid://feathers/ProductVariant/99")
    let add = Storefront.buildMutation {
      $0
        .cartLinesAdd(cartId: cart.id, lines: lines + [unknown]) {
          $0
            .cart {
              $0
                .lines(first: 5) {
                  $0.quantity().merchandise { $0.title() }.total { $0.amount().currencyCode() }
                }
                .cost { $0.total { $0.amount().currencyCode() } }
            }
            .userErrors { $0.field().message() }
        }
    }
    let payload = try await client.mutate(add).requireData().cartLinesAdd
    for line in payload.cart?.lines ?? [] {
      screen.row("\(line.quantity) × \(line.merchandise.title)", text(line.total))
    }
    if let total = payload.cart?.cost.total { screen.row("Total", text(total)) }
    for error in payload.userErrors {
      screen.problem("\(error.message) (\(error.field?.joined(separator: ".") ?? ""))")
    }
  }

  /// A response can have both data and errors.
  private func readPartialData() async throws {
    screen.title("Partial data")
    embedded?.enqueue(
      .error(at: "shop.description", "The description is being rewritten.", code: "BUSY"))
    let query = Storefront.buildQuery { $0.shop { $0.name().description() } }
    let response = try await client.query(query)
    screen.line(
      "\(response.data?.shop.name ?? "-"): \(response.data?.shop.description ?? "(null)")")
    for reason in response.errors { screen.problem("\(reason)") }
  }

  /// A loop repeats the query until the checkout is ready.
  private func pollCheckout() async throws {
    screen.title("Polling a checkout")
    let create = Storefront.buildMutation {
      $0
        .checkoutCreate(
          input: Storefront.CheckoutInput(cartId: GraphQL.ID(rawValue: EmbeddedShop.cartID))
        ) {
          $0.checkout { $0.id() }
        }
    }
    guard let checkout = try await client.mutate(create).requireData().checkoutCreate.checkout
    else { return screen.problem("The server did not create a checkout.") }
    let query = Storefront.buildQuery {
      $0
        .node(id: checkout.id) { $0.onCheckout { $0.ready().order { $0.name() } } }
    }
    for attempt in 0...10 {
      if attempt > 0 { try await Task.sleep(for: .milliseconds(200)) }
      let response = try await client.query(query)
      let checkout = response.data?.node as? Storefront.Checkout
      if let checkout, checkout.ready {
        screen.aside("ready")
        return screen.line("Order \(checkout.order?.name ?? "-")")
      }
      screen.aside(response.error.map { "\($0)" } ?? "not ready yet, retrying")
    }
    screen.problem("The checkout is not ready.")
  }

  /// A subscription is an asynchronous sequence of responses.
  private func followOrder() async throws {
    screen.title("Following the order")
    let subscription = Storefront.buildSubscription {
      $0
        .orderUpdated(id: GraphQL.ID(rawValue: EmbeddedShop.orderID)) {
          $0.name().fulfilmentStatus()
        }
    }
    for try await event in client.subscribe(subscription) {
      guard let order = event.data?.orderUpdated else { continue }
      screen.line("\(order.name) is \(order.fulfilmentStatus)")
    }
  }

  private func text(_ money: Storefront.Money) -> String {
    let amount = money.amount.formatted(.number.precision(.fractionLength(2)))
    return "\(amount) \(money.currencyCode)"
  }
}
