import GraphQLRuntime
import GraphStore
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphLive

/// Queries for different pages of one connection, at the same time. The store has only one of the lists, since each start
/// of the list replaces the older pages.
@MainActor struct SharedListTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Pages = Graph.LivePages<Storefront.Product>

  private let list = ProductList()

  /// The cursors between the nodes of the larger page are not known.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aLargerPageLeavesNoHole() async throws {
    let client = try list.shop().client(try CatalogShop.store())
    let pages = Pages(in: client) { ProductList.query($0) }
    try await wait { pages.phase == .idle }
    await pages.loadAll(limit: 100)
    list.insertAtStart(0)
    _ = try await client.query(ProductList.request(first: 4))
    try await wait { pages.titles == ProductList.titles([0, 1]) && pages.phase == .idle }
    await pages.loadAll(limit: 100)
    #expect(pages.titles == ProductList.titles([0, 1, 2, 3, 4, 5]) && pages.phase == .idle)
  }

  /// Nodes were inserted, and the store has the page after the old cursor, but not as the next one.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aMovedPageLeavesNoHole() async throws {
    let store = try CatalogShop.store()
    let shop = try list.shop()
    let query: Pages.Query = { position in
      Graph.PageQuery(Self.edges(first: 2, after: position.after)) { data in
        let info = data.products.pageInfo
        return Graph.Page(
          data.products.edges.map(\.node), hasNextPage: info.hasNextPage, endCursor: info.endCursor)
      }
    }
    let pages = Pages(in: shop.client(store), query: query)
    try await wait { pages.phase == .idle }
    await pages.loadAll(limit: 100)
    #expect(pages.titles == ProductList.titles([1, 2, 3, 4, 5]))
    list.insertAtStart(0)
    // Both pages in one transaction, so that the list does not see the first one alone.
    let first = try Self.edges(first: 4, after: nil).operation()
    let second = try Self.edges(first: 4, after: "c3").operation()
    let responses = (
      try first.response(from: Self.data([0, 1, 2, 3], hasNext: true)),
      try second.response(from: Self.data([4, 5], hasNext: false))
    )
    try await store.write { transaction in
      try transaction.write(responses.0, of: first)
      try transaction.write(responses.1, of: second)
    }
    try await wait { pages.titles.contains("Product 0") }
    #expect(pages.titles == ProductList.titles([0, 1]) && pages.hasNext)
    await pages.loadAll(limit: 100)
    #expect(pages.titles == ProductList.titles([0, 1, 2, 3, 4, 5]) && pages.phase == .idle)
  }

  private static func edges(first: Int, after: String?) -> Storefront.QueryRootQuery {
    Storefront.buildQuery {
      $0.products(first: first, after: after) {
        $0.edges { $0.cursor().node { $0.id().title() } }.pageInfo { $0.hasNextPage().endCursor() }
      }
    }
  }

  private static func data(_ numbers: [Int], hasNext: Bool) -> [UInt8] {
    let edges = numbers.map {
      #"{"cursor":"c\#($0)","node":{"id":"p\#($0)","title":"Product \#($0)"}}"#
    }
    let end = numbers.last.map { "\"c\($0)\"" } ?? "null"
    return Array(
      #"""
      {"data":{"products":{"edges":[\#(edges.joined(separator: ","))],
      "pageInfo":{"hasNextPage":\#(hasNext),"endCursor":\#(end)}}}}
      """#.utf8)
  }

  /// Each list removes pages of the other one while that loads them.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(.timeLimit(.minutes(5))) func listsWithOtherPageSizesAreLoaded() async throws {
    let client = try list.shop().client(try CatalogShop.store())
    let all = [1, 2, 3, 4, 5]
    let lists = [1, 2, 4].map { count in
      Pages(in: client) { ProductList.query($0, count: count) }
    }
    for round in 0..<20 {
      let calls = lists.map { pages in
        Task {
          await pages.refresh()
          await pages.loadAll(limit: 100)
        }
      }
      for call in calls { await call.value }
      for pages in lists { #expect(pages.phase.error == nil, "\(round)") }
      // The start of another list may have arrived after the last page.
      for pages in lists {
        await pages.loadAll(limit: 100)
        #expect(pages.titles == ProductList.titles(all), "\(round)")
      }
    }
  }

  /// The responses for one list do not cause requests for the other one without end.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(.timeLimit(.minutes(5))) func theStartAndTheEndDoNotReplaceEachOtherWithoutEnd()
    async throws
  {
    let client = try list.shop().client(try CatalogShop.store())
    let start = Pages(in: client) { ProductList.query($0) }
    let end = Pages(in: client) { ProductList.query($0, isReversed: true) }
    try await wait {
      !start.phase.isActive && !end.phase.isActive && start.isStale != end.isStale
    }
    #expect(
      start.titles == ProductList.titles([1, 2]) && end.titles == ProductList.titles([4, 5]))
    #expect(list.requested.count <= 6)
    await start.loadAll(limit: 100)
    #expect(start.titles == ProductList.titles([1, 2, 3, 4, 5]))
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test(.timeLimit(.minutes(5))) func queriesDoNotReplaceEachOtherWithoutEnd() async throws {
    let client = try list.shop().client(try CatalogShop.store())
    let start = Graph.LiveQuery(ProductList.request(), in: client)
    let end = Graph.LiveQuery(ProductList.request(first: nil, last: 2), in: client)
    try await wait {
      !start.phase.isActive && !end.phase.isActive && start.isStale != end.isStale
    }
    #expect(start.value?.products.nodes.map(\.title) == ProductList.titles([1, 2]))
    #expect(end.value?.products.nodes.map(\.title) == ProductList.titles([4, 5]))
    #expect(list.requested.count <= 6)
  }
}
