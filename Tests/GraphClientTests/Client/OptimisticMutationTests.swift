import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore
import Observation
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphLive

/// The expected effect of a mutation, as observers of the client's store see it.
@MainActor struct OptimisticMutationTests {
  private let shop: CatalogShop
  private let store: GraphStore.Graph.Store
  private nonisolated static let hat = GraphQL.EntityKey(typeName: "Product", key: "p1")
  private nonisolated static let list = Graph.StoredList.list(\Storefront.QueryRoot.products)

  init() throws {
    shop = try CatalogShop()
    store = try CatalogShop.store()
  }

  private nonisolated static func price(_ amount: String) -> Graph.StoreChange {
    .update(hat, ["priceRange": ["min": ["amount": .string(amount)]]])
  }

  private nonisolated static var names: Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.products(first: 10) { $0.nodes { $0.id().title() } } }
  }

  private func client(_ transport: any Graph.Transport) -> Graph.Client {
    var configuration = Graph.ClientConfiguration()
    configuration.retryPolicy = .none
    return Graph.Client(
      endpoint: .endpoint, transport: transport, store: store, configuration: configuration)
  }

  private nonisolated static func price(in store: GraphStore.Graph.Store) throws -> String? {
    try store.object(Storefront.Product.self, key: "p1").map { "\($0.priceRange.min.amount)" }
  }

  private func titles() throws -> [String]? {
    try store.read(Self.names.operation()).data?.products.nodes.map(\.title)
  }

  /// The price is seen before the request is sent, and the response replaces it without a state in between.
  @Test func theChangeIsSeenBeforeTheRequestIsSent() async throws {
    _ = try await shop.client(store).query(CatalogShop.list)
    var states = try store.states(of: Storefront.Product.self, key: "p1").makeAsyncIterator()
    #expect(try await states.next()??.priceRange.min.amount == 10)
    let seen = Locked<String?>(nil)
    let transport = SteppedTransport(shop) { [store] in
      let price = try? Self.price(in: store)
      seen.withLock { $0 = price }
    }
    let client = client(transport)
    let response = Task { try await client.mutate(CatalogShop.sale, optimistic: Self.price("9")) }
    await transport.wait(for: 1)
    #expect(seen.withLock { $0 } == "9")
    #expect(try await states.next()??.priceRange.min.amount == 9)
    transport.letGo(1)
    #expect(try await response.value.storeError == nil)
    #expect(try await states.next()??.priceRange.min.amount == 9.5)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aLiveQueryFollowsTheChange() async throws {
    let query = Graph.LiveQuery(CatalogShop.list, in: shop.client(store))
    await waitUntil { query.phase == .idle }
    let transport = SteppedTransport(shop)
    let client = client(transport)
    let response = Task { try await client.mutate(CatalogShop.sale, optimistic: Self.price("9")) }
    await transport.wait(for: 1)
    func price() -> Int? {
      query.value?.products.nodes.first.flatMap { Int("\($0.priceRange.min.amount)") }
    }
    await waitUntil { price() == 9 }
    #expect(!query.isStale && query.phase == .idle)
    transport.letGo(1, error: Graph.TransportError(.cannotConnect, message: "off"))
    await #expect(throws: Graph.QueryError.self) { try await response.value }
    await waitUntil { price() == 10 }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func waitUntil(_ condition: () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = condition()
        } onChange: {
          continuation.resume()
        }
      }
    }
  }

  @Test func anErrorTakesTheChangeBack() async throws {
    _ = try await shop.client(store).query(CatalogShop.list)
    shop.setOffline(true)
    var states = try store.states(of: Storefront.Product.self, key: "p1").makeAsyncIterator()
    #expect(try await states.next()??.priceRange.min.amount == 10)
    let transport = SteppedTransport(shop)
    let client = client(transport)
    let response = Task { try await client.mutate(CatalogShop.sale, optimistic: Self.price("9")) }
    await transport.wait(for: 1)
    #expect(try await states.next()??.priceRange.min.amount == 9)
    transport.letGo(1)
    await #expect(throws: Graph.QueryError.self) { try await response.value }
    #expect(try await states.next()??.priceRange.min.amount == 10)
  }

  @Test func cancellationTakesTheChangeBack() async throws {
    _ = try await shop.client(store).query(CatalogShop.list)
    let transport = SteppedTransport(shop)
    let client = client(transport)
    let task = Task { try await client.mutate(CatalogShop.sale, optimistic: Self.price("9")) }
    await transport.wait(for: 1)
    #expect(try Self.price(in: store) == "9")
    task.cancel()
    let error = await #expect(throws: Graph.QueryError.self) { try await task.value }
    #expect(error?.isCancelled == true)
    #expect(try Self.price(in: store) == "10")
  }

  @Test func theFirstOfTwoChangesIsRefused() async throws {
    _ = try await shop.client(store).query(CatalogShop.list)
    let transport = SteppedTransport(shop)
    let client = client(transport)
    let first = Task {
      try await client.mutate(
        CatalogShop.sale, optimistic: [Self.price("8"), .update(Self.hat, ["title": "First"])])
    }
    await transport.wait(for: 1)
    let second = Task {
      try await client.mutate(
        CatalogShop.sale, optimistic: .update(Self.hat, ["title": "Second"]))
    }
    await transport.wait(for: 2)
    func title() throws -> String? { try store.object(Storefront.Product.self, key: "p1")?.title }
    #expect(try title() == "Second" && Self.price(in: store) == "8")
    transport.letGo(1, error: Graph.TransportError(.connectionLost, message: "lost"))
    await #expect(throws: Graph.QueryError.self) { try await first.value }
    #expect(try title() == "Second" && Self.price(in: store) == "10")
    transport.letGo(2)
    _ = try await second.value
    #expect(try title() == "Straw hat" && Self.price(in: store) == "9.5")
  }

  /// The new product has a temporary key until the response names the real one. A page of the list arrives
  /// meanwhile.
  @Test func aCreatedObjectIsReplacedInItsList() async throws {
    _ = try await shop.client(store).query(Self.names)
    let transport = SteppedTransport(shop)
    let client = client(transport)
    let new = GraphQL.EntityKey(typeName: "Product", key: Graph.TemporaryKey.make().rawValue)
    let real = GraphQL.EntityKey(typeName: "Product", key: "p9")
    var states = store.states(of: try Self.names.operation()).makeAsyncIterator()
    #expect(try await states.next()?.data?.products.nodes.count == 2)
    let response = Task {
      try await client.mutate(
        CatalogShop.sale,
        optimistic: [
          .create(new, ["title": "New hat"]), .prepend(new, to: Self.list),
          .remove(Self.hat, from: Self.list),
        ],
        updates: { data in
          guard let line = data.cartLinesAdd.cart?.lines.first else { return [] }
          return [
            .create(real, ["title": .string("Hat of \(line.id)")]), .prepend(real, to: Self.list),
            .remove(Self.hat, from: Self.list),
          ]
        })
    }
    await transport.wait(for: 1)
    #expect(
      try await states.next()?.data?.products.nodes.map(\.title) == ["New hat", "Rain cap"])
    _ = try await shop.client(store).query(Self.names)
    #expect(try titles() == ["New hat", "Rain cap"])
    transport.letGo(1)
    #expect(try await response.value.storeError == nil)
    #expect(
      try await states.next()?.data?.products.nodes.map(\.title) == ["Hat of line", "Rain cap"])
    #expect(try !store.contains(Storefront.Product.self, key: new.key))
    _ = try await shop.client(store).query(Self.names)
    #expect(try titles() == ["Straw hat", "Rain cap"])
  }

  @Test func aLogoutEndsTheChange() async throws {
    _ = try await shop.client(store).query(CatalogShop.list)
    let transport = SteppedTransport(shop)
    let client = client(transport)
    let response = Task { try await client.mutate(CatalogShop.sale, optimistic: Self.price("9")) }
    await transport.wait(for: 1)
    #expect(try Self.price(in: store) == "9")
    try await store.logout()
    #expect(try Self.price(in: store) == "10")
    transport.letGo(1)
    #expect(try await response.value.storeError is GraphQL.StaleGeneration)
    #expect(try Self.price(in: store) == "10")
  }

  @Test func aChangeThatCannotBeShownIsAnError() async throws {
    let withoutStore = await #expect(throws: Graph.QueryError.self) {
      try await shop.client().mutate(CatalogShop.sale, optimistic: Self.price("9"))
    }
    #expect(withoutStore?.code == .invalidChange)
    #expect(withoutStore?.message.contains("store:") == true)
    let updates = await #expect(throws: Graph.QueryError.self) {
      try await shop.client().mutate(CatalogShop.sale, updates: { _ in Self.price("9") })
    }
    #expect(updates?.code == .invalidChange)
    let unknown = await #expect(throws: Graph.QueryError.self) {
      try await shop.client(store).mutate(
        CatalogShop.sale, optimistic: .update(Self.hat, ["titel": "Hat"]))
    }
    #expect(unknown?.code == .invalidChange && unknown?.message.contains("Product.titel") == true)
    #expect(shop.requests == 0)
  }

  /// The response is stored and returned, and the reason is in it.
  @Test func updatesThatCannotBeAppliedAreReported() async throws {
    _ = try await shop.client(store).query(CatalogShop.list)
    let response = try await shop.client(store).mutate(
      CatalogShop.sale, updates: { _ in .update(Self.hat, ["titel": "Hat"]) })
    #expect((response.storeError as? GraphStore.Graph.StoreError)?.code == .invalidJSON)
    #expect(try Self.price(in: store) == "9.5")
  }
}
