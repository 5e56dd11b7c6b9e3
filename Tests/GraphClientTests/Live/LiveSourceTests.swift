import Foundation
import GraphQLRuntime
import GraphStore
import Observation
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphLive

/// The source and the date of the contents of a screen.
@MainActor struct LiveSourceTests {
  private typealias Source = GraphQLRuntime.Graph.LiveSource
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Query = Graph.LiveQuery<Storefront.QueryRoot>
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Pages = Graph.LivePages<Storefront.Product>

  /// A client whose store has the same clock.
  private func client(
    of shop: CatalogShop, file: URL? = nil
  ) throws -> (Graph.Client, GraphStore.Graph.Store, ManualTime) {
    let clock = Locked<ManualTime?>(nil)
    var configuration = GraphStore.Graph.Store.Configuration()
    configuration.now = {
      let wall = clock.withLock { $0?.now.wall ?? .zero }
      return Int64(wall / .milliseconds(1))
    }
    let store = try GraphStore.Graph.Store(
      schema: Storefront.schema, file: file ?? CatalogShop.newFile(), configuration: configuration)
    let client = shop.client(store)
    let time = try #require(client.time as? ManualTime)
    clock.withLock { $0 = time }
    return (client, store, time)
  }

  private func date(_ time: ManualTime) -> Date {
    Date(timeIntervalSince1970: time.now.wall / .seconds(1))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aQueryTellsTheTimeOfTheResponse() async throws {
    let shop = try CatalogShop()
    let (client, _, time) = try client(of: shop)
    let query = Query(CatalogShop.list, in: client)
    #expect(query.source == nil)
    try await wait { query.phase == .idle }
    let first = date(time)
    #expect(query.source == .network(first))

    time.advance(by: .seconds(600))
    await query.refetch()
    #expect(query.source == .network(first + 600))

    time.advance(by: .seconds(600))
    shop.setOffline(true)
    await query.refetch()
    #expect(query.source == .cache(first + 600) && query.isStale)
    #expect(query.source?.date == first + 600)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aCachedValueFollowsTheDateOfItsParts() async throws {
    let shop = try CatalogShop()
    let (client, store, time) = try client(of: shop)
    let first = date(time)
    _ = try await client.query(CatalogShop.list)
    time.advance(by: .seconds(600))
    let cached = Query(CatalogShop.list, in: client, cachePolicy: .cacheFirst)
    #expect(cached.source == .cache(first))
    let confirmed = Query(CatalogShop.list, in: client)
    try await wait { confirmed.phase == .idle }
    #expect(confirmed.source == .network(first + 600))

    // A product changes; the list and the other product are those of the last response.
    time.advance(by: .seconds(600))
    _ = try await client.mutate(CatalogShop.sale)
    func price(_ query: Query) -> String? {
      query.value?.products.nodes.first.map { "\($0.priceRange.min.amount)" }
    }
    try await wait { price(cached) == "9.5" && price(confirmed) == "9.5" }
    #expect(cached.source == .cache(first + 600))
    #expect(confirmed.source == .network(first + 600))

    try await store.logout(.everything)
    try await wait { cached.value == nil && confirmed.value == nil }
    #expect(cached.source == nil && confirmed.source == nil)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aListHasTheDateOfItsOldestPage() async throws {
    let list = ProductList()
    let shop = try list.shop()
    let file = try CatalogShop.newFile()
    let (first, _, time) = try client(of: shop, file: file)
    let start = date(time)
    let pages = Pages(in: first) { ProductList.query($0) }
    #expect(pages.source == nil)
    try await wait { pages.phase == .idle }
    #expect(pages.source == .network(start))
    time.advance(by: .seconds(600))
    await pages.loadNext()
    #expect(pages.source == .network(start))
    await pages.refresh()
    #expect(pages.source == .network(start + 600))

    // The next run of the program, ten minutes after the first.
    shop.setOffline(true)
    let (second, _, later) = try client(of: shop, file: file)
    later.advance(by: .seconds(1200))
    let offline = Pages(in: second) { ProductList.query($0) }
    #expect(offline.source == .cache(start + 600))
    try await wait { !offline.phase.isActive }
    shop.setOffline(false)
    await offline.refresh()
    #expect(offline.source == .network(start + 1200))
  }

  @Test func partsAreCombined() {
    let (early, late) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    #expect(Source.network(late).combined(with: .network(early)) == .network(early))
    #expect(Source.network(late).combined(with: .cache(early)) == .cache(early))
    #expect(Source.cache(late).combined(with: .network(early)) == .cache(early))
    #expect(Source.cache(nil).combined(with: .network(early)) == .cache(nil))
    #expect(Source.network(early).combined(with: .cache(nil)) == .cache(nil))
  }
}
