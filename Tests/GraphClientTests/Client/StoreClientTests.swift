import Foundation
import GraphQLExecution
import GraphQLRuntime
import GraphQLSchema
import GraphStore
import GraphTesting
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient

/// A client and its store.
struct StoreClientTests {
  private func titles(_ response: Graph.Response<Storefront.QueryRoot>) -> [String] {
    response.data?.products.nodes.map(\.title) ?? []
  }

  @Test func clientHasNoStoreByDefault() async throws {
    let client = try CatalogShop().client()
    #expect(client.store == nil)
    #expect(try await client.query(CatalogShop.list).source == .network)
  }

  /// A user who logs in while the token is requested for another user's request does not get its
  /// response.
  @Test func responsesAreNotStoredAfterALogoutDuringPreparation() async throws {
    let store = try CatalogShop.store()
    var configuration = Graph.ClientConfiguration()
    configuration.preparationTimeout = nil
    let client = Graph.Client(
      endpoint: .endpoint,
      headers: {
        try await store.logout(.everything)
        return [:]
      }, transport: try CatalogShop(), store: store, configuration: configuration)
    let response = try await client.query(CatalogShop.list)
    #expect(response.storeError is GraphQL.StaleGeneration)
    #expect(try await client.mutate(CatalogShop.sale).storeError is GraphQL.StaleGeneration)
    let orders = Storefront.buildSubscription { $0.orderUpdated(id: "1") { $0.id() } }
    for try await event in client.subscribe(orders) {
      #expect(event.storeError is GraphQL.StaleGeneration)
      break
    }
    #expect(try store.counts().isEmpty)
  }

  @Test func observersReceiveTheChangesOfAMutation() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let client = shop.client(store)
    _ = try await client.query(CatalogShop.list)
    var product = try store.states(of: Storefront.Product.self, key: "p1").makeAsyncIterator()
    var list = try store.states(of: CatalogShop.list.operation()).makeAsyncIterator()
    #expect(try await product.next()??.priceRange.min.amount == 10)
    #expect(
      try await list.next()?.data?.products.nodes.first?.variants.nodes.first?.price.amount == 10)
    let response = try await client.mutate(CatalogShop.sale)
    #expect(response.storeError == nil)
    #expect(try await product.next()??.priceRange.min.amount == 9.5)
    let shown = try #require(try await list.next()?.data?.products.nodes)
    #expect(shown.map(\.priceRange.min.amount) == [9.5, 20])
    #expect(shown.first?.variants.nodes.first?.price.amount == 9.5)
  }

  @Test func storedResponsesAreAvailableOfflineAfterARestart() async throws {
    let file = try CatalogShop.newFile()
    let shop = try CatalogShop()
    do {
      let client = shop.client(try CatalogShop.store(file))
      _ = try await client.query(CatalogShop.list)
    }
    shop.setOffline(true)
    let client = shop.client(try CatalogShop.store(file))
    let expected = ["Straw hat", "Rain cap"]
    for policy in [Graph.CachePolicy.cacheFirst, .cacheOnly, .networkFirst, .cacheAndNetwork] {
      let response = try await client.query(CatalogShop.list, cachePolicy: policy)
      #expect(titles(response) == expected, "\(policy)")
      guard case .cache(let age?) = response.source else {
        Issue.record("\(policy): \(response.source)")
        continue
      }
      #expect(age < .seconds(3600))
      #expect((response.networkError == nil) == (policy == .cacheFirst || policy == .cacheOnly))
    }
    var shown: [[String]] = []
    let error = await #expect(throws: Graph.QueryError.self) {
      for try await response in client.responses(
        to: CatalogShop.list, cachePolicy: .cacheAndNetwork)
      {
        shown.append(titles(response))
      }
    }
    #expect(error?.isOutage == true)
    #expect(shown == [expected])
    await #expect(throws: Graph.QueryError.self) { try await client.query(CatalogShop.list) }
  }

  @Test func cacheAndNetworkDeliversStoredThenNetworkResponse() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store(), .cacheAndNetwork)
    _ = try await client.query(CatalogShop.list)
    var sources: [Bool] = []
    for try await response in client.responses(to: CatalogShop.list) {
      sources.append(response.source == .network)
    }
    #expect(sources == [false, true])
    #expect(shop.requests == 2)
  }

  @Test func missingFieldsAreRequestedFromTheServer() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store(), .cacheFirst)
    _ = try await client.query(CatalogShop.list)
    _ = try await client.query(CatalogShop.list)
    #expect(shop.requests == 1)
    let more = Storefront.buildQuery {
      $0.products(first: 10) { $0.nodes { $0.id().title().vendor() } }
    }
    #expect(try await client.query(more).source == .network)
    #expect(shop.requests == 2)
    // The objects of two queries are the result of a third one that was never sent.
    let both = Storefront.buildQuery {
      $0
        .products(first: 10) { $0.nodes { $0.vendor().priceRange { $0.min { $0.amount() } } } }
    }
    #expect(try await client.query(both).data?.products.nodes.first?.vendor == "Plume")
    #expect(shop.requests == 2)
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(
        Storefront.buildQuery { $0.shop { $0.name() } }, cachePolicy: .cacheOnly)
    }
  }

  @Test func expiredObjectsAreRequestedFromTheServer() async throws {
    let shop = try CatalogShop()
    let policies = ["Product": Graph.TypePolicy(maximumAge: .zero)]
    let client = shop.client(try CatalogShop.store(CatalogShop.newFile(), policies), .cacheFirst)
    _ = try await client.query(CatalogShop.list)
    #expect(try await client.query(CatalogShop.list).source == .network)
    let name = Storefront.buildQuery { $0.shop { $0.name() } }
    _ = try await client.query(name)
    #expect(try await client.query(name).source != .network)
    #expect(
      try await client.query(name, cachePolicy: .cacheFirst(expireIn: 0)).source == .network)
    #expect(
      try await client.query(name, cachePolicy: .cacheFirst(expireIn: 3600)).source != .network)
  }

  @Test func responseAfterALogoutIsNotStored() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let client = shop.client(store)
    shop.hold()
    async let response = client.query(CatalogShop.list)
    await shop.waitUntilHeld()
    try await store.logout()
    shop.letGo()
    let late = try await response
    #expect(titles(late) == ["Straw hat", "Rain cap"])
    #expect(late.storeError is GraphQL.StaleGeneration)
    #expect(try store.counts() == [:])
    #expect(try await client.query(CatalogShop.list).storeError == nil)
    #expect(try store.counts()["Product"] == 2)
  }

  @Test func queriesBeforeAndAfterALogoutAreNotShared() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let client = shop.client(store)
    shop.hold()
    async let first = client.query(CatalogShop.list)
    await shop.waitUntilHeld()
    try await store.logout()
    async let second = client.query(CatalogShop.list)
    // The second is a separate request, so that two are blocked.
    try await wait { shop.requests == 2 }
    shop.letGo()
    #expect(try await first.storeError is GraphQL.StaleGeneration)
    #expect(try await second.storeError == nil)
  }

  @Test func responseCacheIsUnusedIfAStoreExists() async throws {
    let shop = try CatalogShop()
    let storage = CountingStorage()
    let client = shop.client(try CatalogShop.store(), .cacheFirst, storage: storage)
    for policy in [Graph.CachePolicy.cacheFirst, .networkFirst, .cacheAndNetwork, .networkOnly] {
      _ = try await client.query(CatalogShop.list, cachePolicy: policy)
    }
    _ = try await client.mutate(CatalogShop.sale)
    #expect(storage.calls == 0)
  }

  @Test func sensitiveAndTransientResponsesAreNeverCached() async throws {
    let shop = try CatalogShop()
    let storage = CountingStorage()
    let client = shop.client(nil, .networkFirst, storage: storage)
    _ = try await client.query(Storefront.buildQuery { $0.cart(id: "cart") { $0.id() } })
    _ = try await client.query(
      Storefront.buildQuery { $0.customer(accessToken: "secret") { $0.id() } })
    #expect(storage.calls == 0)
    _ = try await client.query(Storefront.buildQuery { $0.shop { $0.name() } })
    #expect(storage.calls == 1)
  }

  @Test func transientObjectsAreStoredInMemoryOnly() async throws {
    let file = try CatalogShop.newFile()
    let store = try CatalogShop.store(file)
    _ = try await CatalogShop().client(store).mutate(CatalogShop.sale)
    #expect(try store.contains(Storefront.Cart.self, key: "cart"))
    let other = try CatalogShop.store(file)
    #expect(try other.contains(Storefront.Cart.self, key: "cart") == false)
    #expect(try other.contains(Storefront.Product.self, key: "p1"))
  }

  @Test func responsesWithErrorsAreRequestedAgain() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store(), .cacheFirst)
    let query = Storefront.buildQuery { $0.shop { $0.name().description() } }
    shop.endpoint.enqueue(.error(at: "shop.description", "It is being written.", code: "BUSY"))
    #expect(try await client.query(query).errors.count == 1)
    let stored = try await client.query(query, cachePolicy: .cacheOnly)
    #expect(stored.data?.shop.name == "Hats")
    #expect(stored.errors.first?.code == "BUSY")
    let again = try await client.query(query)
    #expect(again.source == .network)
    #expect(again.errors.isEmpty)
    #expect(try await client.query(query).source != .network)
    // If there is an earlier value, the error is reported and the response counts.
    shop.endpoint.enqueue(.error(at: "shop.description", "It is being written.", code: "BUSY"))
    _ = try await client.query(query, cachePolicy: .networkOnly)
    let good = try await client.query(query)
    #expect(good.source != .network)
    #expect(good.data?.shop.description == again.data?.shop.description)
    #expect(good.errors.first?.code == "BUSY")
  }

  @Test func subscriptionEventsAreStored() async throws {
    let store = try CatalogShop.store()
    let client = try CatalogShop().client(store)
    let subscription = Storefront.buildSubscription {
      $0.inventoryChanged(variantIds: ["v1"]) { $0.id().inventoryUnits() }
    }
    for try await event in client.subscribe(subscription) {
      let variant = try #require(event.data?.inventoryChanged)
      let stored = try store.object(Storefront.ProductVariant.self, id: variant.id)
      #expect(stored?.inventoryUnits == variant.inventoryUnits)
      return
    }
    Issue.record("there was no event")
  }

  @Test func failingStoreDoesNotPreventAResponse() async throws {
    let shop = try CatalogShop()
    let client = shop.client(BrokenStore(), .cacheFirst)
    let response = try await client.query(CatalogShop.list)
    #expect(titles(response).count == 2)
    #expect(response.source == .network)
    #expect(response.storeError is BrokenStore.Broken)
  }
}

/// A store whose disk is full.
private struct BrokenStore: GraphQL.ResponseStore {
  struct Broken: Error {}

  var generation: GraphQL.StoreGeneration { GraphQL.StoreGeneration() }

  func store<Root>(
    _: GraphQL.Response<Root>, of _: GraphQL.Operation<Root>, in _: GraphQL.StoreGeneration?
  ) throws { throw Broken() }

  func response<Root>(
    to _: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.StoredResponse<Root>? { throw Broken() }
}
