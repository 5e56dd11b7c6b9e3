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

  private static let plainList: @Sendable () -> Storefront.QueryRootQuery = {
    Storefront.buildQuery { $0.products(first: 10) { $0.nodes { $0.id().title() } } }
  }

  /// Two forms of a list that arrives in three payloads.
  private static let lists = [
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
    ],
    [
      #"""
      {"data":{"products":{"nodes":[{"id":"p1","title":"Straw hat"}]}},
      "pending":[{"id":"0","path":["products","nodes"]}],"hasNext":true}
      """#,
      #"""
      {"incremental":[{"id":"0","items":[{"id":"p2","title":"Rain cap"}]}],"hasNext":true}
      """#,
      #"""
      {"incremental":[{"id":"0","items":[{"id":"p3","title":"Beret"}]}],"completed":[{"id":"0"}],
      "hasNext":false}
      """#,
    ],
  ]

  private func titles(_ store: GraphStore.Graph.Store) throws -> [String]? {
    try store.read(Self.plainList().operation()).data?.products.nodes.map(\.title)
  }

  private func title(_ key: String, _ store: GraphStore.Graph.Store) async throws -> String? {
    var states = try store.states(of: Storefront.Product.self, key: key).makeAsyncIterator()
    return try await states.next()??.title
  }

  private func product(
    _ key: String, _ title: String, in store: GraphStore.Graph.Store
  ) async throws {
    let query = Storefront.buildQuery {
      $0.node(id: GraphQL.ID(rawValue: key)) { $0.id().onProduct { $0.title() } }
    }
    try await store.write(
      query.operation().response(
        from: Array(
          #"{"data":{"node":{"__typename":"Product","id":"\#(key)","title":"\#(title)"}}}"#.utf8)),
      of: query.operation())
  }

  /// The objects are stored as they arrive, the list when all of it has arrived.
  @Test(arguments: lists)
  func streamedElementsAreStored(payloads: [String]) async throws {
    let store = try CatalogShop.store()
    var lists: [[String]?] = []
    var last: [String?] = []
    for try await response in client(payloads, store).responses(to: Self.streaming()) {
      #expect(response.storeError == nil)
      lists.append(try titles(store))
      last.append(try await title("p\(lists.count)", store))
    }
    #expect(lists == [nil, nil, ["Straw hat", "Rain cap", "Beret"]])
    #expect(last == ["Straw hat", "Rain cap", "Beret"])
  }

  /// A list that breaks off leaves the stored one.
  @Test(arguments: lists)
  func anIncompleteListReplacesNone(payloads: [String]) async throws {
    let store = try CatalogShop.store()
    for try await _ in client(Self.lists[0], store).responses(to: Self.streaming()) {}
    let whole = ["Straw hat", "Rain cap", "Beret"]
    await #expect(throws: Graph.QueryError.self) {
      for try await _ in self.client(Array(payloads.dropLast()), store)
        .responses(to: Self.streaming())
      {
        #expect(try self.titles(store) == whole)
      }
    }
    #expect(try titles(store) == whole)
    // The announced list fails.
    let failing =
      [payloads[0]] + [
        payloads[0].contains("pending")
          ? #"{"completed":[{"id":"0","errors":[{"message":"no"}]}],"hasNext":false}"#
          : #"""
          {"incremental":[{"path":["products","nodes",1],"items":null,"errors":[{"message":"no"}]}],
          "hasNext":false}
          """#
      ]
    for try await _ in client(failing, store).responses(to: Self.streaming()) {}
    #expect(try titles(store) == whole)
  }

  /// A change of an object that has arrived is newer than the object.
  @Test(arguments: lists)
  func laterPayloadsKeepNewerValues(payloads: [String]) async throws {
    let store = try CatalogShop.store()
    var count = 0
    for try await _ in client(payloads, store).responses(to: Self.streaming()) {
      count += 1
      if count == 1 { try await product("p1", "New hat", in: store) }
      if count == 2 {
        try await store.write { try $0.delete(Storefront.Product.self, key: "p2") }
      }
    }
    #expect(count == 3)
    #expect(try await title("p1", store) == "New hat")
    #expect(try await title("p2", store) == nil)
    #expect(try await title("p3", store) == "Beret")
  }

  @Test(arguments: [
    [
      #"{"data":{"node":{"__typename":"Product","id":"p1","handle":"a"}},"hasNext":true}"#,
      #"""
      {"incremental":[{"path":["node"],"data":{"title":"Straw hat","vendor":"Plume"}}],"hasNext":true}
      """#, #"{"hasNext":false}"#,
    ],
    [
      #"""
      {"data":{"node":{"__typename":"Product","id":"p1","handle":"a"}},"pending":[{"id":"0","path":["node"]}],
      "hasNext":true}
      """#,
      #"{"incremental":[{"id":"0","data":{"title":"Straw hat","vendor":"Plume"}}],"hasNext":true}"#,
      #"{"completed":[{"id":"0"}],"hasNext":false}"#,
    ],
  ])
  func deferredFieldsKeepNewerValues(payloads: [String]) async throws {
    let store = try CatalogShop.store()
    let query = Storefront.buildQuery { root in
      root.node(id: "p1") { node in
        node.id().onProduct { $0.handle() }
        node._directive(GraphQL.Directive<Storefront>("defer"))
        node.onProduct { $0.title().vendor() }
      }
    }
    let change = Storefront.buildQuery {
      $0.node(id: "p1") { $0.id().onProduct { $0.handle().title() } }
    }
    var count = 0
    for try await _ in client(payloads, store).responses(to: query) {
      count += 1
      let text =
        #"{"data":{"node":{"__typename":"Product","id":"p1","handle":"b\#(count)","title":"New \#(count)"}}}"#
      if count < 3 {
        try await store.write(
          change.operation().response(from: Array(text.utf8)), of: change.operation())
      }
      let product = try store.read(change.operation()).data?.node as? Storefront.Product
      #expect(product?.handle == "b\(min(count, 2))")
      #expect(product?.title == "New \(min(count, 2))")
    }
    #expect(count == 3)
    let whole = Storefront.buildQuery {
      $0.node(id: "p1") { $0.id().onProduct { $0.handle().vendor() } }
    }
    let product = try store.read(whole.operation()).data?.node as? Storefront.Product
    #expect(product?.vendor == "Plume")
  }
}
