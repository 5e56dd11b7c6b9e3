import Foundation
import GraphQLRuntime
import GraphStore
import Observation
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphLive

/// Lists that follow a store.
@MainActor struct LivePagesStoreTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Pages = Graph.LivePages<Storefront.Product>

  private let list = ProductList()

  /// A list with all five products.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func begin(
    _ client: Graph.Client, _ policy: Graph.CachePolicy = .cacheAndNetwork
  ) async throws -> Pages {
    let pages = Pages(in: client, cachePolicy: policy) { ProductList.query($0) }
    try await wait { !pages.phase.isActive }
    await pages.loadAll(limit: 100)
    #expect(pages.titles == ProductList.titles([1, 2, 3, 4, 5]) && pages.phase == .idle)
    return pages
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func storedPagesAreThereAtOnce() async throws {
    let shop = try list.shop()
    let file = try CatalogShop.newFile()
    _ = try await begin(shop.client(try CatalogShop.store(file)))

    // The next run of the program, without network.
    let client = shop.client(try CatalogShop.store(file))
    shop.setOffline(true)
    let offline = Pages(in: client) { ProductList.query($0) }
    #expect(offline.titles == ProductList.titles([1, 2, 3, 4, 5]) && !offline.hasNext)
    #expect(offline.phase == .refreshing && offline.isStale)
    try await wait { !offline.phase.isActive }
    #expect(offline.phase.error?.code == .transport && offline.items.count == 5)

    shop.setOffline(false)
    let online = Pages(in: client) { ProductList.query($0) }
    try await wait { online.phase == .idle }
    #expect(online.titles == ProductList.titles([1, 2, 3, 4, 5]))

    let cached = Pages(in: client, cachePolicy: .cacheFirst) { ProductList.query($0) }
    #expect(cached.phase == .idle && cached.items.count == 5)
    #expect(list.requested == ["-", "c2", "c4", "-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func storedPagesBeforeTheFirstAreThereAtOnce() async throws {
    let client = try list.shop().client(try CatalogShop.store())
    let first = Pages(in: client) { ProductList.query($0, isReversed: true) }
    try await wait { first.phase == .idle }
    await first.loadPrevious()
    let second = Pages(in: client, cachePolicy: .cacheOnly) {
      ProductList.query($0, isReversed: true)
    }
    #expect(second.titles == ProductList.titles([2, 3, 4, 5]) && second.hasPrevious)
  }

  /// The page that was requested follows pages that are not in the list any more.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aLatePageLeavesNoHole() async throws {
    let shop = try list.shop()
    let store = try CatalogShop.store()
    let pages = Pages(in: shop.client(store)) { ProductList.query($0) }
    try await wait { !pages.phase.isActive }
    await pages.loadNext()
    shop.hold()
    async let loaded: Void = pages.loadNext()
    await shop.waitUntilHeld()
    list.insertAtStart(0)
    // Another client of the store has another connection to the same server.
    _ = try await list.shop().client(store).query(ProductList.request(), cachePolicy: .networkOnly)
    try await wait { pages.titles == ProductList.titles([0, 1]) }
    shop.letGo()
    await loaded
    #expect(pages.titles == ProductList.titles([0, 1, 2, 3]) && pages.hasNext)
    await pages.loadAll(limit: 100)
    #expect(pages.titles == ProductList.titles([0, 1, 2, 3, 4, 5]) && pages.phase == .idle)
  }

  /// A query that ignores the position would be read from the store without end.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(arguments: [Graph.CachePolicy.cacheOnly, .cacheAndNetwork, .networkOnly])
  func aListThatIgnoresThePositionEnds(policy: Graph.CachePolicy) async throws {
    let client = try list.shop().client(try CatalogShop.store())
    _ = try await begin(client)
    let pages = Graph.LivePages(in: client, cachePolicy: policy) { position in
      Graph.PageQuery(ProductList.request()) { data in
        Graph.Page(
          data.products.nodes.map(\.title), next: .offset((position.offset ?? 0) + 2))
      }
    }
    try await wait { !pages.phase.isActive }
    #expect(pages.items == ProductList.titles([1, 2]))
    await pages.loadAll(limit: 100)
    #expect(pages.items == ProductList.titles([1, 2]))
    #expect(pages.phase.error?.code == .protocolViolation)
  }

  /// The pages after a first page that has changed are in doubt.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aChangedFirstPageRemovesTheOthers() async throws {
    let shop = try list.shop()
    let client = shop.client(try CatalogShop.store())
    _ = try await begin(client)
    list.insertAtStart(0)
    shop.hold()
    let pages = Pages(in: client) { ProductList.query($0) }
    #expect(pages.titles == ProductList.titles([1, 2, 3, 4, 5]))
    await shop.waitUntilHeld()
    shop.letGo()
    try await wait { pages.phase == .idle }
    #expect(pages.titles == ProductList.titles([0, 1]) && pages.hasNext && !pages.isStale)
    await pages.loadAll(limit: 100)
    #expect(pages.titles == ProductList.titles([0, 1, 2, 3, 4, 5]))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anotherQueryInsertsAnItem() async throws {
    let client = try list.shop().client(try CatalogShop.store())
    let pages = try await begin(client)
    list.insertAtStart(0)
    _ = try await client.query(ProductList.request())
    try await wait { pages.titles == ProductList.titles([0, 1]) }
    #expect(pages.hasNext && pages.phase == .idle)
    await pages.loadNext()
    #expect(pages.titles == ProductList.titles([0, 1, 2, 3]))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func itemsFollowTheStore() async throws {
    let store = try CatalogShop.store()
    let pages = try await begin(try list.shop().client(store))
    try await store.write(
      json: Array(#"{"id":"p3","title":"New"}"#.utf8), as: Storefront.Product.self)
    try await wait { pages.titles.contains("New") }
    #expect(pages.titles == ["Product 1", "Product 2", "New", "Product 4", "Product 5"])

    // The last items of pages, at which the next ones begin.
    for key in ["p2", "p4"] {
      try await store.write { try $0.delete(Storefront.Product.self, key: key) }
    }
    try await wait { pages.items.count == 3 }
    #expect(pages.titles == ["Product 1", "New", "Product 5"])
    #expect(pages.phase == .idle && !pages.hasNext && list.requested.count == 3)
  }

  /// The item at the end is deleted, and the next page is loaded after it.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aDeletionDoesNotEndTheList() async throws {
    let store = try CatalogShop.store()
    let pages = Pages(in: try list.shop().client(store)) { ProductList.query($0) }
    try await wait { pages.phase == .idle }
    try await store.write { try $0.delete(Storefront.Product.self, key: "p2") }
    try await wait { pages.titles == ProductList.titles([1]) }
    await pages.loadNext()
    #expect(pages.titles == ProductList.titles([1, 3, 4]) && list.requested == ["-", "c2"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func otherChangesDoNotNotify() async throws {
    let store = try CatalogShop.store()
    let client = try list.shop().client(store)
    let pages = try await begin(client)
    var notifications = 0
    withObservationTracking {
      _ = (pages.items, pages.errors, pages.phase, pages.isStale, pages.hasNext)
      _ = (pages.hasPrevious, pages.isLoadingNext, pages.isLoadingPrevious)
    } onChange: {
      MainActor.assumeIsolated { notifications += 1 }
    }
    try await store.write(
      json: Array(#"{"id":"p1","vendor":"New"}"#.utf8), as: Storefront.Product.self)
    // It shows that the change was seen.
    let vendors = Graph.LivePages(in: client, cachePolicy: .networkOnly) { _ in
      Graph.PageQuery(
        Storefront.buildQuery {
          $0.products(first: 2, query: "offset 0") { $0.nodes { $0.id().vendor() } }
        }
      ) { Graph.Page($0.products.nodes, next: nil) }
    }
    try await wait { vendors.phase == .idle }
    try await store.write(
      json: Array(#"{"id":"p1","vendor":"Newer"}"#.utf8), as: Storefront.Product.self)
    try await wait { vendors.items.first?.vendor == "Newer" }
    #expect(notifications == 0)
    try await store.write(
      json: Array(#"{"id":"p2","title":"New"}"#.utf8), as: Storefront.Product.self)
    try await wait { pages.titles.contains("New") }
    #expect(notifications == 1)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aLogoutRemovesTheItemsAndTheRunningRequest() async throws {
    let shop = try list.shop()
    let store = try CatalogShop.store()
    let pages = Pages(in: shop.client(store)) { ProductList.query($0) }
    try await wait { pages.phase == .idle }
    shop.hold()
    async let loaded: Void = pages.loadNext()
    await shop.waitUntilHeld()
    try await store.logout(.everything)
    try await wait { pages.items.isEmpty }
    #expect(pages.phase == .idle && !pages.hasNext && !pages.isStale && !pages.isLoadingNext)
    shop.letGo()
    await loaded
    #expect(pages.items.isEmpty && pages.phase == .idle)
    // The next user's list.
    await pages.refresh()
    #expect(pages.titles == ProductList.titles([1, 2]) && pages.hasNext)
  }

  /// The observation of the first page shows the same before and after the logout: that it is missing.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func aLogoutRemovesItemsThatAreMissingInTheStore(isOfAnotherProcess: Bool) async throws {
    let shop = try list.shop()
    let file = try CatalogShop.newFile()
    let store = try CatalogShop.store(file)
    let pages = try await begin(shop.client(store))
    shop.setOffline(true)
    try await store.write { try $0.deleteAll() }
    try await wait { pages.phase.error != nil && pages.isStale }
    #expect(pages.items.count == 5)
    let other = isOfAnotherProcess ? try CatalogShop.store(file) : store
    try await other.logout(.everything)
    try await wait { pages.items.isEmpty }
    #expect(pages.phase == .idle && !pages.hasNext)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aMissingFirstPageIsRequestedOnce() async throws {
    let shop = try list.shop()
    let store = try CatalogShop.store()
    let pages = try await begin(shop.client(store))
    shop.setOffline(true)
    try await store.write { try $0.deleteAll() }
    try await wait { pages.phase.error != nil }
    #expect(pages.items.count == 5 && pages.isStale)
    shop.setOffline(false)
    await pages.refresh()
    #expect(pages.titles == ProductList.titles([1, 2]) && pages.phase == .idle && !pages.isStale)
    #expect(list.requested == ["-", "c2", "c4", "-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func pagesAfterARefreshAreTheServers() async throws {
    let shop = try list.shop()
    let client = shop.client(try CatalogShop.store())
    let pages = try await begin(client, .cacheFirst)
    await pages.refresh()
    #expect(pages.titles == ProductList.titles([1, 2]) && !pages.isStale)
    await pages.loadNext()
    #expect(pages.titles == ProductList.titles([1, 2, 3, 4]))
    #expect(list.requested == ["-", "c2", "c4", "-", "c2"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aListThatSendsNothingFollowsOthers() async throws {
    let client = try list.shop().client(try CatalogShop.store())
    let silent = Pages(in: client, cachePolicy: .cacheOnly) { ProductList.query($0) }
    #expect(silent.items.isEmpty && silent.phase == .idle)
    _ = try await begin(client)
    try await wait { silent.titles == ProductList.titles([1, 2]) }
    await silent.loadAll(limit: 100)
    #expect(silent.titles == ProductList.titles([1, 2, 3, 4, 5]) && silent.isStale)
    #expect(list.requested.count == 3)
  }

  /// Typed operations of a list in a store.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func operationsOfDocumentsFollowTheStore() async throws {
    let store = try CatalogShop.store()
    let client = try list.shop().client(store)
    func pages() -> Graph.LivePages<ShoesQuery.Data.Products.Node> {
      Graph.LivePages(in: client, cachePolicy: .cacheFirst) { position in
        Graph.PageQuery(ShoesQuery(first: 2, after: position.after)) { data in
          let info = data.products.pageInfo
          return Graph.Page(
            data.products.nodes, hasNextPage: info.hasNextPage, endCursor: info.endCursor)
        }
      }
    }
    let first = pages()
    try await wait { first.phase == .idle }
    await first.loadAll(limit: 100)
    let second = pages()
    #expect(second.items.map(\.shoe.title) == ProductList.titles([1, 2, 3, 4, 5]))
    try await store.write(
      json: Array(#"{"id":"p4","title":"New"}"#.utf8), as: Storefront.Product.self)
    try await wait { first.items == second.items && second.items[3].shoe.title == "New" }
    #expect(first.items.count == 5 && list.requested.count == 3)
  }
}
