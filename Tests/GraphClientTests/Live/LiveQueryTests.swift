import GraphQLRuntime
import GraphStore
import Observation
import StorefrontAPI
import Testing

@testable import GraphClient
@testable import GraphLive

/// Queries that stay alive, over the mock endpoint and a real store.
@MainActor struct LiveQueryTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Query = Graph.LiveQuery<Storefront.QueryRoot>

  /// Returns when a condition about observed properties holds.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func wait(until condition: () -> Bool) async {
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

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func titles(_ query: Query) -> [String]? { query.value?.products.nodes.map(\.title) }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func price(_ query: Query) -> String? {
    query.value?.products.nodes.first.map { "\($0.priceRange.min.amount)" }
  }

  private func names(of first: Int) -> Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.products(first: first) { $0.nodes { $0.id().title() } } }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func theStoredResponseIsThereAtOnce() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let first = Query(CatalogShop.list, in: client)
    #expect(first.value == nil && first.phase == .loading)
    await wait { first.phase == .idle }
    #expect(titles(first) == ["Straw hat", "Rain cap"] && !first.isStale)

    shop.hold()
    let second = Query(CatalogShop.list, in: client)
    #expect(titles(second) == ["Straw hat", "Rain cap"])
    #expect(second.phase == .refreshing && second.isStale)
    shop.letGo()
    await wait { second.phase == .idle }
    #expect(!second.isStale && shop.requests == 2)

    let third = Query(CatalogShop.list, in: client, cachePolicy: .cacheFirst)
    #expect(titles(third)?.count == 2 && third.phase == .idle)
    #expect(shop.requests == 2)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func theValueFollowsTheStore() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    #expect(price(query) == "10")
    _ = try await client.mutate(CatalogShop.sale)
    await wait { price(query) == "9.5" }
    #expect(query.phase == .idle && shop.requests == 2)
  }

  /// A field that the query does not select changes, then one that it does.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func otherChangesDoNotNotify() async throws {
    let store = try CatalogShop.store()
    let client = try CatalogShop().client(store)
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    let before = query.value
    var notifications = 0
    withObservationTracking {
      _ = (query.value, query.errors, query.phase, query.isStale)
    } onChange: {
      MainActor.assumeIsolated { notifications += 1 }
    }
    try await store.write(
      json: Array(#"{"id":"p1","vendor":"New"}"#.utf8), as: Storefront.Product.self)
    // It shows that the first change was seen.
    let vendors = Query(
      Storefront.buildQuery { $0.products(first: 10) { $0.nodes { $0.id().vendor() } } },
      in: client,
      cachePolicy: .cacheFirst)
    await wait { vendors.value != nil && vendors.phase == .idle }
    #expect(notifications == 0 && query.value === before)
    try await store.write(
      json: Array(#"{"id":"p1","title":"New"}"#.utf8), as: Storefront.Product.self)
    await wait { titles(query)?.first == "New" }
    #expect(notifications == 1)
  }

  /// The first response, a failure, and a logout.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func unchangedPropertiesDoNotNotify() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    shop.hold()
    let query = Query(CatalogShop.list, in: shop.client(store))
    var notifications = 0
    withObservationTracking {
      _ = (query.errors, query.isStale)
    } onChange: {
      MainActor.assumeIsolated { notifications += 1 }
    }
    await shop.waitUntilHeld()
    shop.letGo()
    await wait { query.phase == .idle }
    try await store.logout(.everything)
    await wait { query.value == nil }
    shop.setOffline(true)
    await query.refetch()
    #expect(query.phase.error != nil && notifications == 0)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func equalQueriesShareARequest() async throws {
    let shop = try CatalogShop()
    shop.hold()
    let client = shop.client(try CatalogShop.store())
    let queries = (0..<10).map { _ in Query(CatalogShop.list, in: client) }
    await shop.waitUntilHeld()
    shop.letGo()
    for query in queries { await wait { query.phase == .idle } }
    #expect(queries.allSatisfy { titles($0)?.count == 2 })
    #expect(shop.requests == 1)
  }

  /// A response of the cache or the store was not confirmed, whichever policy has led to it.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(arguments: [false, true]) func anUnconfirmedValueIsStale(hasStore: Bool) async throws {
    let shop = try CatalogShop()
    let client = shop.client(hasStore ? try CatalogShop.store() : nil)
    _ = try await client.query(CatalogShop.list, cachePolicy: .networkFirst)
    shop.setOffline(true)
    for policy in [Graph.CachePolicy.networkFirst, .cacheFirst, .cacheOnly, .cacheAndNetwork] {
      let query = Query(CatalogShop.list, in: client, cachePolicy: policy)
      await wait { !query.phase.isActive && query.value != nil }
      #expect(titles(query)?.count == 2 && query.isStale, "\(policy)")
    }
    shop.setOffline(false)
    let query = Query(CatalogShop.list, in: client, cachePolicy: .networkFirst)
    await wait { query.phase == .idle }
    #expect(!query.isStale)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aFailureKeepsTheValue() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    shop.setOffline(true)
    await query.refetch()
    #expect(query.phase.error?.transportError?.code == .cannotConnect)
    #expect(titles(query)?.count == 2 && query.isStale)
    shop.setOffline(false)
    await query.refetch()
    #expect(query.phase == .idle && !query.isStale)

    shop.setOffline(true)
    let other = Query(names(of: 1), in: client, cachePolicy: .networkOnly)
    #expect(other.phase == .loading)
    await wait { !other.phase.isActive }
    #expect(other.phase.error?.code == .transport && other.value == nil)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func refetchingTwiceSendsOneRequest() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    shop.hold()
    async let first: Void = query.refetch()
    async let second: Void = query.refetch()
    await shop.waitUntilHeld()
    shop.letGo()
    _ = await (first, second)
    #expect(shop.requests == 2 && query.phase == .idle)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aCancelledTaskDoesNotWait() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    shop.hold()
    let refetch = Task { await query.refetch() }
    await shop.waitUntilHeld()
    refetch.cancel()
    await refetch.value
    #expect(query.phase == .refreshing && shop.requests == 2)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await query.refetch()
    }
    await late.value
    shop.letGo()
    await wait { query.phase == .idle }
    #expect(!query.isStale && shop.requests == 2)
  }

  /// The running request might get its response from the cache.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func refetchingSendsTheQueryWhileTheCacheIsRead() async throws {
    let shop = try CatalogShop()
    let client = shop.client()
    _ = try await client.query(CatalogShop.list, cachePolicy: .networkFirst)
    let query = Query(CatalogShop.list, in: client, cachePolicy: .cacheFirst)
    await query.refetch()
    #expect(shop.requests == 2 && !query.isStale && query.phase == .idle)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anotherQueryKeepsTheValueUntilItHasOne() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let query = Query(names(of: 1), in: client)
    await wait { query.phase == .idle }
    #expect(titles(query) == ["Straw hat"])
    shop.hold()
    query.update(names(of: 2))
    #expect(titles(query) == ["Straw hat"] && query.isStale && query.phase == .refreshing)
    await shop.waitUntilHeld()
    shop.letGo()
    await wait { query.phase == .idle }
    #expect(titles(query) == ["Straw hat", "Rain cap"] && !query.isStale)
    query.update(names(of: 2))
    #expect(query.phase == .idle && shop.requests == 2)
  }

  /// The response to the earlier query arrives after that to the later one.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func lateResponsesAreIgnored() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store(), .networkOnly)
    shop.hold()
    let query = Query(names(of: 1), in: client)
    await shop.waitUntilHeld()
    query.update(names(of: 2))
    query.update(names(of: 1))
    query.update(names(of: 2))
    shop.letGo()
    await wait { query.phase == .idle }
    #expect(titles(query) == ["Straw hat", "Rain cap"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func releasingCancelsTheRequest() async throws {
    let shop = try CatalogShop()
    shop.hold()
    let client = shop.client(try CatalogShop.store())
    var query: Query? = Query(CatalogShop.list, in: client)
    await shop.waitUntilHeld()
    weak let released = query
    let task = try #require(query?.request?.task)
    query = nil
    #expect(released == nil && task.isCancelled)
    shop.letGo()
    await task.value
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aLogoutRemovesTheValueAndTheRunningRequest() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let client = shop.client(store)
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    shop.hold()
    async let refetched: Void = query.refetch()
    await shop.waitUntilHeld()
    try await store.logout(.everything)
    await wait { query.value == nil }
    #expect(query.phase == .idle && !query.isStale && query.errors.isEmpty)
    shop.letGo()
    await refetched
    #expect(query.value == nil && query.phase == .idle)
    // The next user's response.
    await query.refetch()
    #expect(titles(query)?.count == 2)
  }

  /// The observation shows the same before and after the logout: that the response is missing.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(.timeLimit(.minutes(5))) func aLogoutRemovesAValueThatIsMissingInTheStore() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let query = Query(CatalogShop.list, in: shop.client(store))
    await wait { query.phase == .idle }
    shop.setOffline(true)
    try await store.write { try $0.deleteAll() }
    await wait { query.phase.error != nil }
    #expect(titles(query)?.count == 2)
    try await store.logout(.everything)
    await wait { query.value == nil }
    #expect(query.phase == .idle && !query.isStale)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aDeletedPartIsRequestedOnce() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let client = shop.client(store)
    let query = Query(CatalogShop.list, in: client)
    await wait { query.phase == .idle }
    shop.setOffline(true)
    let requests = shop.requests
    try await store.write { try $0.deleteAll() }
    await wait { query.phase.error != nil }
    #expect(titles(query)?.count == 2 && query.isStale && shop.requests == requests)
    shop.setOffline(false)
    await query.refetch()
    #expect(query.phase == .idle && !query.isStale && shop.requests == requests + 1)
    // Now it is requested without a call.
    try await store.write { try $0.deleteAll() }
    await wait { query.isStale }
    await wait { !query.isStale && query.phase == .idle }
    #expect(titles(query)?.count == 2 && shop.requests == requests + 2)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func policiesDecideAboutTheFirstValue() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    _ = try await client.query(CatalogShop.list)
    shop.hold()
    let network = Query(CatalogShop.list, in: client, cachePolicy: .networkOnly)
    #expect(network.value == nil && network.phase == .loading)
    shop.letGo()
    await wait { network.phase == .idle }
    #expect(titles(network)?.count == 2)
    let requests = shop.requests
    let cacheOnly = Query(CatalogShop.list, in: client, cachePolicy: .cacheOnly)
    #expect(titles(cacheOnly)?.count == 2 && cacheOnly.phase == .idle)
    let missing = Query(names(of: 3), in: client, cachePolicy: .cacheOnly)
    #expect(missing.value == nil && missing.phase == .idle)
    #expect(shop.requests == requests)
    // It is there when another call has requested it.
    _ = try await client.query(names(of: 3))
    await wait { missing.value != nil }
    #expect(titles(missing)?.count == 2)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aBuilderWithAProblemIsAFailure() throws {
    let client = try CatalogShop().client()
    let query = Query(Storefront.buildQuery { $0.products(first: 1) { _ in } }, in: client)
    #expect(query.phase.error?.code == .invalidOperation && query.value == nil)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aClientWithoutStoreShowsItsResponses() async throws {
    let shop = try CatalogShop()
    let client = shop.client(nil, .cacheAndNetwork)
    let first = Query(CatalogShop.list, in: client)
    await wait { first.phase == .idle }
    #expect(titles(first)?.count == 2)
    shop.setOffline(true)
    let second = Query(CatalogShop.list, in: client, cachePolicy: .cacheOnly)
    await wait { second.phase == .idle }
    #expect(titles(second)?.count == 2)
  }
}
