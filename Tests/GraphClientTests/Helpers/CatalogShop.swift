import Foundation
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport

@testable import GraphClient

/// A shop with two products and a mutation that changes a price, and a transport that can be
/// switched off or blocked.
final class CatalogShop: Graph.Transport {
  private struct State {
    var isOffline = false
    var isHeld = false
    var held: [CheckedContinuation<Void, Never>] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
    var requests = 0
  }

  let endpoint: MockEndpoint
  private let state = Locked(State())

  static func schema() throws -> ServiceSchema {
    let file = URL(filePath: #filePath).appending(path: "../../../../schema.graphql")
      .standardizedFileURL
    return try ServiceSchema(
      sources: [Source(name: "schema.graphql", bytes: Array(Data(contentsOf: file)))])
  }

  /// - Parameter products: resolves the list of products, which is the fixtures' by default.
  init(products: ResolverTable.FieldResolver? = nil) throws {
    var resolvers = ResolverTable()
    resolvers["QueryRoot", "products"] = products
    resolvers["Mutation", "cartLinesAdd"] = { _ in
      .json([
        "cart": [
          "id": "cart",
          "lines": [
            [
              "id": "line", "quantity": 1,
              "merchandise": [
                "__typename": "ProductVariant", "id": "v1", "price": Self.money("9.50"),
                "product": ["id": "p1", "priceRange": ["min": Self.money("9.50")]],
              ],
            ]
          ],
        ], "userErrors": [],
      ])
    }
    endpoint = try MockEndpoint(
      schema: try Self.schema(), options: MockOptions(eventInterval: .zero),
      fixtures: Fixtures([
        "types": [
          "Shop": ["name": "Hats"],
          "Product": [
            [
              "id": "p1", "title": "Straw hat", "vendor": "Plume",
              "priceRange": ["min": Self.money("10.00")],
              "variants": [["id": "v1", "price": Self.money("10.00")]],
            ],
            [
              "id": "p2", "title": "Rain cap", "vendor": "Drizzle",
              "priceRange": ["min": Self.money("20.00")],
              "variants": [["id": "v2", "price": Self.money("20.00")]],
            ],
          ],
        ]
      ]), resolvers: resolvers)
  }

  private static func money(_ amount: String) -> JSON {
    ["amount": .string(amount), "currencyCode": "EUR"]
  }

  /// The requests that the server has received.
  var requests: Int { state.withLock { $0.requests } }

  func setOffline(_ isOffline: Bool) { state.withLock { $0.isOffline = isOffline } }

  /// Responses are blocked from now on.
  func hold() { state.withLock { $0.isHeld = true } }

  /// Returns when a response is blocked.
  func waitUntilHeld() async {
    await withCheckedContinuation { waiter in
      let isHeld = state.withLock { state in
        if !state.held.isEmpty { return true }
        state.waiters.append(waiter)
        return false
      }
      if isHeld { waiter.resume() }
    }
  }

  func letGo() {
    let held = state.withLock { state in
      defer { (state.held, state.isHeld) = ([], false) }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    if state.withLock({ $0.isOffline }) {
      throw Graph.TransportError(.cannotConnect, message: "the shop is switched off")
    }
    state.withLock { $0.requests += 1 }
    let response = try await endpoint.send(request)
    if state.withLock({ $0.isHeld }) {
      await withCheckedContinuation { continuation in
        let waiters = state.withLock { state in
          state.held.append(continuation)
          defer { state.waiters = [] }
          return state.waiters
        }
        for waiter in waiters { waiter.resume() }
      }
    }
    return response
  }

  /// A client of the shop, without delays.
  func client(
    _ store: (any GraphQL.ResponseStore)? = nil,
    _ policy: Graph.CachePolicy = .networkOnly,
    storage: any Graph.ResponseStorage = Graph.MemoryStorage(),
    prefetching: Graph.PrefetchPolicy = Graph.PrefetchPolicy()
  ) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.storage = storage
    configuration.retryPolicy = .none
    configuration.prefetching = prefetching
    return Graph.Client(
      endpoint: .endpoint, headers: .constant([:]), transport: self, cachePolicy: policy,
      interceptors: [], store: store, configuration: configuration, throttle: Graph.HostThrottle(),
      time: ManualTime())
  }

  static var list: Storefront.QueryRootQuery {
    Storefront.buildQuery {
      $0
        .products(first: 10) {
          $0
            .nodes {
              $0.id().title().priceRange { $0.min { $0.amount() } }
                .variants(first: 1) { $0.nodes { $0.id().price { $0.amount() } } }
            }
        }
    }
  }

  static var sale: Storefront.MutationQuery {
    Storefront.buildMutation {
      $0
        .cartLinesAdd(cartId: "cart", lines: []) {
          $0
            .cart {
              $0
                .id()
                .lines {
                  $0
                    .id()
                    .merchandise {
                      $0
                        .id()
                        .onProductVariant {
                          $0.price { $0.amount() }
                            .product { $0.id().priceRange { $0.min { $0.amount() } } }
                        }
                    }
                }
            }
        }
    }
  }

  /// A store in a new file; with the path, a second store of the file can be opened.
  static func store(
    _ file: URL? = nil, _ policies: [String: Graph.TypePolicy] = [:]
  ) throws -> GraphStore.Graph.Store {
    try GraphStore.Graph.Store(
      schema: Storefront.schema, file: file ?? newFile(),
      configuration: GraphStore.Graph.Store.Configuration(policies: policies))
  }

  static func newFile() throws -> URL { try TemporaryFolder().file("catalog.store") }
}

/// A storage that only counts its calls.
final class CountingStorage: Graph.ResponseStorage {
  private let count = Locked(0)

  var calls: Int { count.withLock { $0 } }

  func response(for key: Graph.CacheKey) -> Graph.CachedResponse? {
    count.withLock { $0 += 1 }
    return nil
  }

  func store(_ response: Graph.CachedResponse, for key: Graph.CacheKey) {
    count.withLock { $0 += 1 }
  }

  func remove(_ key: Graph.CacheKey) { count.withLock { $0 += 1 } }

  func removeAll() {}
}
