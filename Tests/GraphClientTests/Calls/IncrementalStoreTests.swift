import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphClient

/// Parts that `@defer` and `@stream` deliver later reach the store with their payload.
struct IncrementalStoreTests {
  private func client(_ payloads: [String], _ store: GraphStore.Graph.Store) -> Graph.Client {
    let parts = payloads.map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }
    let transport = ScriptedTransport(
      .json(parts.joined() + "\r\n-----\r\n", type: "multipart/mixed; boundary=\"-\""))
    var configuration = Graph.ClientConfiguration()
    configuration.retryPolicy = .none
    return Graph.Client(
      endpoint: .endpoint, headers: .constant([:]), transport: transport, cachePolicy: .networkOnly,
      interceptors: [], store: store, configuration: configuration, throttle: Graph.HostThrottle(),
      time: ManualTime())
  }

  private static let deferring: @Sendable () -> Storefront.QueryRootQuery = {
    Storefront.buildQuery { root in
      root.node(id: "p1") { node in
        node.id()
        node._directive(GraphQL.Directive<Storefront>("defer"))
        node.onProduct { $0.title().vendor() }
      }
    }
  }

  private static let streaming: @Sendable () -> Storefront.QueryRootQuery = {
    Storefront.buildQuery {
      $0
        .products(first: 10) { products in
          products._directive(GraphQL.Directive<Storefront>("stream"))
          products.nodes { $0.id().title() }
        }
    }
  }

  @Test(
    arguments: [
      [
        #"{"data":{"node":{"__typename":"Product","id":"p1"}},"hasNext":true}"#,
        #"""
        {"incremental":[{"path":["node"],"data":{"title":"Straw hat","vendor":"Plume"}}],
        "hasNext":false}
        """#,
      ],
      [
        #"""
        {"data":{"node":{"__typename":"Product","id":"p1"}},"pending":[{"id":"0","path":["node"]}],
        "hasNext":true}
        """#,
        #"""
        {"incremental":[{"id":"0","data":{"title":"Straw hat","vendor":"Plume"}}],
        "completed":[{"id":"0"}],"hasNext":false}
        """#,
      ],
    ]) func deferredFieldsAreStored(payloads: [String]) async throws
  {
    let store = try CatalogShop.store()
    let client = client(payloads, store)
    var stored: [String?] = []
    for try await response in client.responses(to: Self.deferring()) {
      #expect(response.storeError == nil)
      var states = try store.states(of: Storefront.Product.self, key: "p1").makeAsyncIterator()
      let product = try #require(try await states.next() ?? nil)
      #expect(product.id == "p1")
      stored.append(product.has(\.title) ? product.title : nil)
    }
    #expect(stored == [nil, "Straw hat"])
    let plain = Storefront.buildQuery {
      $0.node(id: "p1") { $0.id().onProduct { $0.title().vendor() } }
    }
    let response = try await client.query(plain, cachePolicy: .cacheOnly)
    #expect((response.data?.node as? Storefront.Product)?.vendor == "Plume")
  }

  @Test func streamedElementsAreStored() async throws {
    let store = try CatalogShop.store()
    let client = client(
      [
        #"{"data":{"products":{"nodes":[{"id":"p1","title":"Straw hat"}]}},"hasNext":true}"#,
        #"""
        {"incremental":[{"path":["products","nodes",1],"items":[{"id":"p2","title":"Rain cap"}]}],
        "hasNext":true}
        """#,
        #"""
        {"incremental":[{"path":["products","nodes",2],"items":[{"id":"p3","title":"Beret"}]}],
        "hasNext":false}
        """#,
      ], store)
    var stored: [[String]] = []
    for try await response in client.responses(to: Self.streaming()) {
      #expect(response.storeError == nil)
      for try await response in client.responses(to: Self.streaming(), cachePolicy: .cacheOnly) {
        stored.append(response.data?.products.nodes.map(\.title) ?? [])
      }
    }
    #expect(
      stored == [
        ["Straw hat"], ["Straw hat", "Rain cap"], ["Straw hat", "Rain cap", "Beret"],
      ])
  }
}
