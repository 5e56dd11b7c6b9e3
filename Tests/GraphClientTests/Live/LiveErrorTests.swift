import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphLive

/// Live queries whose responses lack a value that the server could not compute.
@MainActor struct LiveErrorTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Query = Graph.LiveQuery<Storefront.QueryRoot>

  /// A client whose server sends the responses one after the other.
  private func client(
    _ store: GraphStore.Graph.Store, _ responses: String...
  ) -> Graph.Client {
    let rest = Box(responses)
    let transport = ScriptedTransport { _ in
      .json(rest.update { $0.count > 1 ? $0.removeFirst() : $0[0] })
    }
    var configuration = Graph.ClientConfiguration()
    configuration.retryPolicy = .none
    return Graph.Client(
      endpoint: .endpoint, headers: .constant([:]), transport: transport, cachePolicy: .networkOnly,
      interceptors: [], store: store, configuration: configuration, throttle: Graph.HostThrottle(),
      time: ManualTime())
  }

  private static var description: Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.shop { $0.id().name().description() } }
  }

  private func shop(_ description: String?, error: String? = nil) -> String {
    let value = description.map { "\"\($0)\"" } ?? "null"
    let errors =
      error.map { #","errors":[{"message":"\#($0)","path":["shop","description"]}]"# } ?? ""
    return #"{"data":{"shop":{"id":"s","name":"Hats","description":\#(value)}}\#(errors)}"#
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anErrorThatEndsIsRemoved() async throws {
    let store = try CatalogShop.store()
    let client = client(store, shop("old"), shop(nil, error: "down"), shop("old"))
    let query = Query(Self.description, in: client)
    try await wait { query.phase == .idle }
    await query.refetch()
    #expect(query.errors.map(\.message) == ["down"])
    #expect(query.value?.shop.description == "old")
    // The server has not sent this description.
    #expect(query.isStale && query.source == .cache(nil))
    _ = try await client.query(Self.description)
    try await wait { query.errors.isEmpty }
    #expect(query.value?.shop.description == "old")
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anErrorOfAnotherQueryAppears() async throws {
    let store = try CatalogShop.store()
    let client = client(store, shop(nil), shop(nil, error: "down"))
    let query = Query(Self.description, in: client)
    try await wait { query.phase == .idle }
    #expect(query.errors == [] && !query.isStale)
    _ = try await client.query(Self.description)
    try await wait { query.errors.map(\.message) == ["down"] }
    #expect(query.value?.shop.description == nil)
  }

  private static var nodes: Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.nodes(ids: ["p1", "p2"]) { $0.id().onProduct { $0.title() } } }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func titles(_ query: Query) -> [String?]? {
    query.value?.nodes.map { ($0 as? Storefront.Product)?.title }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(arguments: [true, false])
  func aListWithAFailedElementIsShown(hasOlder: Bool) async throws {
    let store = try CatalogShop.store()
    let old = #"""
      {"data":{"nodes":[{"__typename":"Product","id":"p1","title":"Straw hat"},
      {"__typename":"Product","id":"p2","title":"Rain cap"}]}}
      """#
    let new = #"""
      {"data":{"nodes":[{"__typename":"Product","id":"p1","title":"Sun hat"},null]},
      "errors":[{"message":"down","path":["nodes",1,"title"]}]}
      """#
    let client = client(store, hasOlder ? old : new, new)
    if hasOlder { _ = try await client.query(Self.nodes) }
    let query = Query(Self.nodes, in: client)
    try await wait { query.phase == .idle }
    #expect(titles(query) == ["Sun hat", nil])
    #expect(query.errors.map(\.path) == [[.key("nodes"), .index(1)]])
    #expect(!query.isStale && query.source?.date != nil)
    let stored = try store.read(Self.nodes.operation())
    #expect(stored.data?.nodes.count == 2 && stored.missing == [])
  }

  private func products(_ published: String) -> String {
    #"""
    {"data":{"products":{"nodes":[{"id":"p1","title":"Straw hat","publishedAt":\#(published)}],
    "pageInfo":{"hasNextPage":false}}}
    """#
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aListWithAnOlderValueIsStale() async throws {
    let store = try CatalogShop.store()
    let date = #""2026-01-02T03:04:05Z""#
    let error = #","errors":[{"message":"down","path":["products","nodes",0,"publishedAt"]}]}"#
    let client = client(
      store, products(date) + "}", products("null") + error, products(date) + "}")
    let pages = Graph.LivePages(in: client) { position in
      Graph.PageQuery(
        Storefront.buildQuery {
          $0
            .products(first: 10, after: position.after) {
              $0.nodes { $0.id().title().publishedAt() }.pageInfo { $0.hasNextPage() }
            }
        }
      ) { data in
        Graph.Page(data.products.nodes, hasNextPage: data.products.pageInfo.hasNextPage)
      }
    }
    await pages.loadNext()
    #expect(!pages.isStale && pages.source?.date != nil)
    await pages.refresh()
    #expect(pages.items.first?.publishedAt != nil)
    #expect(pages.isStale && pages.source == .cache(nil))
    await pages.refresh()
    #expect(!pages.isStale && pages.source?.date != nil)
  }
}
