import BooksAPI
import Foundation
import GraphClient
import GraphOutbox
import GraphQLRuntime
import GraphStore

/// The state of the login, which closures of the client read.
@MainActor
final class Session {
  var language = "en"
  private(set) var refreshes = 0

  func makeClient(_ endpoint: URL, _ transport: any Graph.Transport) -> Graph.Client {
    let refresher = Graph.TokenRefresher(token: "first") { [weak self] in
      await self?.refresh() ?? ""
    }
    return Graph.Client(
      endpoint: endpoint,
      headers: { [weak self] in ["Accept-Language": await self?.language ?? "en"] },
      transport: transport, interceptors: [refresher, Token()])
  }

  private func refresh() -> String {
    refreshes += 1
    return "token \(refreshes)"
  }

  func rule() -> Graph.ConflictRule {
    Graph.ConflictRule(
      policy: .merge { [weak self] conflict in
        guard await self?.language == "en" else { return nil }
        return conflict.variables
      })
  }

  /// A helper for any query, as apps write it.
  func fetch<Query: GraphQL.QueryBuilder>(
    _ query: Query, from client: Graph.Client
  ) async throws -> Query.Response {
    try await client.query(query).requireData()
  }

  func products(of maker: String, from client: Graph.Client) async throws -> [Shop.Product] {
    var filter = Shop.Filter(minimum: 3)
    filter.maker = maker
    let query = Shop.buildQuery(named: "List") {
      $0.products(first: 2, sort: .price, filter: filter) {
        $0.id().title().maker().price().related {
          $0.onProduct { $0.id() }.onCart { $0.id().note() }
        }
      }
    }
    return try await fetch(query, from: client).products
  }

  func notes(in store: Graph.Store) async throws -> String? {
    for try await cart in try store.states(of: Shop.Cart.self, key: "1") { return cart?.note }
    return nil
  }

  func prices(from client: Graph.Client) -> Task<Int, any Error> {
    let prices = Shop.buildSubscription(named: "Prices") { $0.prices { $0.id().price() } }
    return Task {
      var count = 0
      for try await _ in client.subscribe(prices) { count += 1 }
      return count
    }
  }

  /// A value of the app's own, in the store.
  func save(_ draft: Draft, in store: Graph.Store) async throws -> Draft? {
    try await store.write(model: draft, as: Shop.Cart.self)
    return try store.model(Draft.self, of: Shop.Cart.self, key: draft.id)
  }
}

/// The store encodes and decodes it on any thread.
nonisolated struct Draft: Codable, Sendable, Equatable {
  let id: String
  var note: String
}

/// Another actor of the app uses the objects of the module as well.
actor Totals {
  private var products: [Shop.Product] = []

  func add(_ product: Shop.Product) { products.append(product) }
  var cents: Int32 { products.reduce(0) { $0 + $1.price.cents } }
}

/// As lists in SwiftUI require it.
func identifiers<Element: Identifiable>(_ elements: [Element]) -> [Element.ID] {
  elements.map(\.id)
}

func identifiers(_ products: [Shop.Product], _ books: [Books.Book]) -> [GraphQL.ID] {
  identifiers(products) + identifiers(books)
}
