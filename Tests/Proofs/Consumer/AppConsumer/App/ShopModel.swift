import BooksAPI
import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore
import Observation

/// The values of a screen: products of the app's own module, and a book of the other one.
@MainActor @Observable
final class ShopModel {
  private(set) var products: [Shop.Product] = []
  private(set) var book: Books.Book?
  private(set) var failure: (any Error)?
  private(set) var note = ""
  private(set) var states: [Graph.OperationState] = []
  var onChange: (() -> Void)?

  let client: Graph.Client
  let store: Graph.Store
  let outbox: Graph.Outbox
  @ObservationIgnored private var tokens: [Graph.ObservationToken] = []
  @ObservationIgnored private var loading: Task<Void, Never>?

  static let list = Shop.buildQuery(named: "List") {
    $0
      .products(first: 10, sort: .title, filter: .init(maker: "Plume")) {
        $0.id().title().maker().price().related { $0.onCart { $0.id().note() } }
      }
      .cart { $0.id().note() }
  }

  init(client: Graph.Client, store: Graph.Store, outbox: Graph.Outbox) {
    self.client = client
    self.store = store
    self.outbox = outbox
  }

  func load() async {
    do {
      let response = try await client.query(Self.list)
      products = try response.requireData().products
      let title = products.first?.title ?? ""
      let query = Books.buildQuery(named: "Book") { $0.book(id: "1") { $0.id().title().genre() } }
      book = try await client.query(query).data?.book
      note = title
      onChange?()
    } catch {
      failure = error
    }
  }

  /// As a button does: from a synchronous function.
  func reload() -> Task<Void, Never> {
    loading?.cancel()
    let task = Task { await load() }
    loading = task
    return task
  }

  func follow() throws {
    tokens = [
      try store.observe(
        Shop.Cart.self, key: "1", onError: { [weak self] in self?.failure = $0 },
        onChange: { [weak self] cart in
          self?.note = cart?.note ?? ""
          self?.onChange?()
        }),
      try store.observe(store.fetch(Shop.Product.self).sorted(by: \.title)) { [weak self] results in
        self?.products = results.objects
        self?.onChange?()
      },
      outbox.observe(GraphQL.EntityKey(typeName: "Cart", key: "1")) { [weak self] state in
        if let state { self?.states.append(state.state) }
        self?.onChange?()
      },
    ]
  }

  func write(_ text: String) async throws {
    let mutation = Shop.buildMutation(named: "Note") {
      $0.note(cart: "1", text: text) { $0.cart { $0.id().note() }.errors() }
    }
    try await outbox.queue(
      mutation, for: GraphQL.EntityKey(typeName: "Cart", key: "1"),
      optimistic: .update(["note": .string(text)]), isIdempotent: true)
  }

  /// Work that leaves the main actor and returns with objects of the module.
  func cheapest() async throws -> Shop.Product? {
    let store = store
    return try await Task.detached {
      try store.fetch(Shop.Product.self).all().min { $0.price.cents < $1.price.cents }
    }.value
  }

  func stop() {
    for token in tokens { token.stop() }
    tokens = []
  }
}

extension Shop.Product {
  var label: String { "\(title) by \(maker), \(price.cents) cents" }
}

extension Books.Book {
  var label: String { genre == .novel ? "\(title), a novel" : title }
}
