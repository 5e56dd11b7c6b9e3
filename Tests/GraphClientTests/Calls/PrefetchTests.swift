import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient

/// Queries that fill the cache or the store.
struct PrefetchTests {
  private func names(of first: Int) -> Storefront.QueryRootQuery {
    Storefront.buildQuery { $0.products(first: first) { $0.nodes { $0.id().title() } } }
  }

  /// Prefetches wait while there is any other request.
  private func busyPolicy(maximumWaiting: Int = 20) -> Graph.PrefetchPolicy {
    Graph.PrefetchPolicy(
      maximumWaiting: maximumWaiting, maximumRunning: 1, maximumOtherRequests: 0)
  }

  @Test(arguments: [false, true])
  func fillsTheCacheOrTheStore(hasStore: Bool) async throws {
    let shop = try CatalogShop()
    let store: (any GraphQL.ResponseStore)? = try hasStore ? CatalogShop.store() : nil
    let client = shop.client(store)
    let prefetch = client.prefetch(CatalogShop.list)
    try await wait { prefetch.hasEnded }
    let response = try await client.query(CatalogShop.list, cachePolicy: .cacheOnly)
    #expect(response.data?.products.nodes.count == 2 && shop.requests == 1)
    // There is a response now.
    let second = client.prefetch(CatalogShop.list)
    try await wait { second.hasEnded }
    #expect(shop.requests == 1)
    let third = client.prefetch(CatalogShop.list, cachePolicy: .networkOnly)
    try await wait { third.hasEnded }
    #expect(shop.requests == 2)
  }

  @Test(arguments: [false, true])
  func laterCallsShareTheRequest(hasStore: Bool) async throws {
    let shop = try CatalogShop()
    let store: (any GraphQL.ResponseStore)? = try hasStore ? CatalogShop.store() : nil
    // Without a store, a call with the client's policy, which does not use the cache, is another one.
    let policy: Graph.CachePolicy? = hasStore ? nil : .cacheFirst
    let client = shop.client(store)
    shop.hold()
    client.prefetch(CatalogShop.list)
    await shop.waitUntilHeld()
    async let response = client.query(CatalogShop.list, cachePolicy: policy)
    try await wait { client.inFlight.callerCount == 2 }
    shop.letGo()
    #expect(try await response.data?.products.nodes.count == 2)
    #expect(shop.requests == 1)
  }

  /// The request of a prefetch for which another call waits is one of the other requests.
  @Test func aCallThatWaitsHoldsBackOtherPrefetches() async throws {
    let shop = try CatalogShop()
    let client = shop.client(
      prefetching: Graph.PrefetchPolicy(
        maximumWaiting: 0, maximumRunning: 2, maximumOtherRequests: 0))
    shop.hold()
    let prefetch = client.prefetch(CatalogShop.list, cachePolicy: .networkOnly)
    await shop.waitUntilHeld()
    async let response = client.query(CatalogShop.list)
    try await wait { client.prefetches.otherRequestCount == 1 }
    #expect(client.prefetch(names(of: 1)).hasEnded)
    shop.letGo()
    #expect(try await response.data?.products.nodes.count == 2)
    try await wait { prefetch.hasEnded && client.prefetches.otherRequestCount == 0 }
    let next = client.prefetch(names(of: 1))
    try await wait { next.hasEnded }
    #expect(shop.requests == 2)
  }

  @Test func aCallThatWaitsRaisesThePriority() async throws {
    let queue = Graph.PrefetchQueue(policy: busyPolicy())
    let prefetch = Graph.Prefetch(priority: .background) {
      while Task.currentPriority < .high, !Task.isCancelled { await Task.yield() }
    }
    queue.add(prefetch)
    await Task(priority: .high) { queue.promote(prefetch) }.value
    defer { prefetch.cancel() }
    try await wait { prefetch.hasEnded }
  }

  @Test func waitsWhileThereAreOtherRequests() async throws {
    let shop = try CatalogShop()
    let client = shop.client(prefetching: busyPolicy())
    shop.hold()
    async let response = client.query(CatalogShop.list)
    await shop.waitUntilHeld()
    let prefetch = client.prefetch(names(of: 1))
    #expect(shop.requests == 1 && !prefetch.hasEnded)
    shop.letGo()
    _ = try await response
    try await wait { prefetch.hasEnded }
    #expect(shop.requests == 2)
  }

  @Test func theOldestAreDropped() async throws {
    let shop = try CatalogShop()
    let client = shop.client(prefetching: busyPolicy(maximumWaiting: 2))
    shop.hold()
    async let response = client.query(CatalogShop.list)
    await shop.waitUntilHeld()
    let prefetches = (1...4).map { client.prefetch(names(of: $0)) }
    #expect(prefetches.map(\.hasEnded) == [true, true, false, false])
    shop.letGo()
    _ = try await response
    try await wait { prefetches.allSatisfy(\.hasEnded) }
    #expect(shop.requests == 3)
    for first in 1...4 {
      let stored = try? await client.query(names(of: first), cachePolicy: .cacheOnly)
      #expect((stored != nil) == (first > 2))
    }
  }

  @Test func aNegativeLimitIsNone() async throws {
    let shop = try CatalogShop()
    let client = shop.client(prefetching: busyPolicy(maximumWaiting: -1))
    shop.hold()
    async let response = client.query(CatalogShop.list)
    await shop.waitUntilHeld()
    #expect(client.prefetch(names(of: 1)).hasEnded)
    shop.letGo()
    _ = try await response
    #expect(shop.requests == 1)
  }

  @Test func cancellingEndsIt() async throws {
    let shop = try CatalogShop()
    let client = shop.client(prefetching: busyPolicy())
    shop.hold()
    let running = client.prefetch(names(of: 1))
    await shop.waitUntilHeld()
    let waiting = client.prefetch(names(of: 2))
    let last = client.prefetch(names(of: 3))
    waiting.cancel()
    running.cancel()
    #expect(running.hasEnded && waiting.hasEnded && !last.hasEnded)
    shop.letGo()
    try await wait { last.hasEnded }
    #expect(shop.requests == 2)
  }

  @Test func errorsAreIgnored() async throws {
    let shop = try CatalogShop()
    let client = shop.client()
    shop.setOffline(true)
    let prefetch = client.prefetch(CatalogShop.list)
    try await wait { prefetch.hasEnded }
    let invalid = client.prefetch(Storefront.buildQuery { $0.products(first: 1) { _ in } })
    #expect(invalid.hasEnded && shop.requests == 0)
    shop.setOffline(false)
    #expect(try await client.query(CatalogShop.list).source == .network)
  }

  @Test func aLogoutDropsThoseThatWait() async throws {
    let shop = try CatalogShop()
    let store = try CatalogShop.store()
    let client = shop.client(store, prefetching: busyPolicy())
    shop.hold()
    async let response = client.query(CatalogShop.list)
    await shop.waitUntilHeld()
    let prefetch = client.prefetch(names(of: 1))
    try await store.logout(.everything)
    shop.letGo()
    _ = try await response
    try await wait { prefetch.hasEnded }
    #expect(shop.requests == 1)
  }
}
