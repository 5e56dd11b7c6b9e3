import GraphQLRuntime
import StorefrontAPI
import TestSupport
import Testing

@testable import GraphClient
@testable import GraphLive

/// Lists that are loaded page by page, without a store.
@MainActor struct LivePagesTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private typealias Pages = Graph.LivePages<Storefront.Product>

  private let list = ProductList()

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func numbers(_ pages: Pages) -> [Int] {
    pages.items.compactMap { Int($0.title.dropFirst("Product ".count)) }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private func begin(_ shop: CatalogShop, query: String? = nil) async throws -> Pages {
    let pages = Pages(in: shop.client()) { ProductList.query($0, query: query) }
    try await wait { !pages.phase.isActive }
    return pages
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func pagesAreAppended() async throws {
    let shop = try list.shop()
    let pages = Pages(in: shop.client()) { ProductList.query($0) }
    #expect(pages.items.isEmpty && pages.phase == .loading && !pages.hasNext)
    #expect(!pages.isLoadingNext)
    try await wait { pages.phase == .idle }
    #expect(numbers(pages) == [1, 2] && pages.hasNext && !pages.hasPrevious && !pages.isStale)
    shop.hold()
    async let loaded: Void = pages.loadNext()
    await shop.waitUntilHeld()
    #expect(pages.phase == .loading && pages.isLoadingNext && !pages.isLoadingPrevious)
    shop.letGo()
    await loaded
    #expect(numbers(pages) == [1, 2, 3, 4] && pages.phase == .idle && !pages.isLoadingNext)
    await pages.loadNext()
    #expect(numbers(pages) == [1, 2, 3, 4, 5] && !pages.hasNext)
    await pages.loadNext()
    await pages.loadPrevious()
    #expect(list.requested == ["-", "c2", "c4"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anEmptyListIsRefreshed() async throws {
    let pages = try await begin(list.shop(), query: "offset 9")
    #expect(pages.items.isEmpty && !pages.hasNext)
    await pages.refresh()
    #expect(list.requested == ["offset 9", "offset 9"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func callsForOnePageShareARequest() async throws {
    let shop = try list.shop()
    let pages = try await begin(shop)
    shop.hold()
    async let first: Void = pages.loadNext()
    async let second: Void = pages.loadNext()
    await shop.waitUntilHeld()
    async let third: Void = pages.loadNext()
    shop.letGo()
    _ = await (first, second, third)
    #expect(numbers(pages).prefix(4) == [1, 2, 3, 4])
    #expect(list.requested.prefix(2) == ["-", "c2"])
    #expect(Set(list.requested).count == list.requested.count)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aCallDuringTheFirstRequestWaitsForIt() async throws {
    let shop = try list.shop()
    shop.hold()
    let pages = Pages(in: shop.client()) { ProductList.query($0) }
    async let loaded: Void = pages.loadNext()
    await shop.waitUntilHeld()
    shop.letGo()
    await loaded
    #expect(numbers(pages) == [1, 2] && list.requested == ["-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anErrorLeavesTheList() async throws {
    let shop = try list.shop()
    let pages = try await begin(shop)
    list.setFault(.error)
    await pages.loadNext()
    #expect(pages.phase.error?.code == .responseErrors && pages.hasNext)
    #expect(numbers(pages) == [1, 2])
    list.setFault(nil)
    await pages.loadNext()
    #expect(pages.phase == .idle && numbers(pages) == [1, 2, 3, 4])
    #expect(list.requested == ["-", "c2", "c2"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func theFirstPageIsRequestedAgain() async throws {
    let shop = try list.shop()
    list.setFault(.error)
    let pages = try await begin(shop)
    #expect(pages.phase.error != nil && pages.items.isEmpty && !pages.hasNext)
    list.setFault(nil)
    await pages.loadNext()
    #expect(pages.phase == .idle && numbers(pages) == [1, 2])
  }

  /// The response to the earlier request is not used, and the call for it does not load another page.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func refreshingEndsTheRequestForAPage() async throws {
    let shop = try list.shop()
    let pages = try await begin(shop)
    shop.hold()
    async let loaded: Void = pages.loadNext()
    await shop.waitUntilHeld()
    list.insertAtStart(0)
    async let refreshed: Void = pages.refresh()
    try await wait { pages.phase == .refreshing }
    #expect(numbers(pages) == [1, 2] && pages.isStale && !pages.isLoadingNext)
    try await wait { list.requested.count == 3 }
    shop.letGo()
    _ = await (loaded, refreshed)
    #expect(numbers(pages) == [0, 1] && pages.phase == .idle && !pages.isStale)
    #expect(list.requested == ["-", "c2", "-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func refreshingReplacesTheList() async throws {
    let shop = try list.shop()
    let pages = try await begin(shop)
    await pages.loadNext()
    shop.setOffline(true)
    await pages.refresh()
    #expect(pages.phase.error?.transportError?.code == .cannotConnect)
    #expect(numbers(pages) == [1, 2, 3, 4] && pages.isStale)
    shop.setOffline(false)
    await pages.refresh()
    #expect(numbers(pages) == [1, 2] && pages.phase == .idle && !pages.isStale)
    await pages.loadNext()
    #expect(numbers(pages) == [1, 2, 3, 4])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func refreshingTwiceSendsOneRequest() async throws {
    let shop = try list.shop()
    shop.hold()
    let pages = Pages(in: shop.client()) { ProductList.query($0) }
    async let first: Void = pages.refresh()
    async let second: Void = pages.refresh()
    await shop.waitUntilHeld()
    shop.letGo()
    _ = await (first, second)
    #expect(numbers(pages) == [1, 2] && list.requested == ["-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func allPagesAreLoadedUpToALimit() async throws {
    let pages = try await begin(try list.shop())
    await pages.loadAll(limit: 3)
    #expect(numbers(pages) == [1, 2, 3, 4])
    await pages.loadAll(limit: 100)
    #expect(numbers(pages) == [1, 2, 3, 4, 5])
    list.setFault(.error)
    await pages.refresh()
    await pages.loadAll(limit: 100)
    #expect(list.requested == ["-", "c2", "c4", "-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aPageWithoutCursorEndsTheList() async throws {
    list.setFault(.noEndCursor)
    let pages = try await begin(try list.shop())
    #expect(pages.phase == .failed(.noCursor) && numbers(pages) == [1, 2] && !pages.hasNext)
    await pages.loadAll(limit: 100)
    #expect(list.requested == ["-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aRepeatedCursorEndsTheList() async throws {
    let pages = try await begin(try list.shop())
    list.setFault(.repeatedCursor)
    await pages.loadNext()
    #expect(pages.phase == .failed(.repeatedPage) && !pages.hasNext)
    #expect(numbers(pages) == [1, 2, 3, 4])
    await pages.loadAll(limit: 100)
    #expect(list.requested == ["-", "c2"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func emptyPagesAreSkipped() async throws {
    let pages = try await begin(try list.shop())
    list.setFault(.emptyPages)
    await pages.loadAll(limit: 100)
    #expect(pages.phase == .failed(.emptyPages) && pages.hasNext && numbers(pages) == [1, 2])
    #expect(list.requested == ["-", "c2"] + (2...10).map { "e\($0)" })
    await pages.loadNext()
    #expect(list.requested.count == 21 && Set(list.requested).count == 21)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func pagesArePrepended() async throws {
    let pages = Pages(in: try list.shop().client()) { ProductList.query($0, isReversed: true) }
    try await wait { pages.phase == .idle }
    #expect(numbers(pages) == [4, 5] && pages.hasPrevious && !pages.hasNext)
    await pages.loadPrevious()
    #expect(numbers(pages) == [2, 3, 4, 5])
    async let next: Void = pages.loadNext()
    await pages.loadPrevious()
    await next
    #expect(numbers(pages) == [1, 2, 3, 4, 5] && !pages.hasPrevious)
    #expect(list.requested == ["-", "c4", "c2"])
  }

  /// An item is inserted at the start of the list, so that the second page begins with an item of the first.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func offsetsSelectPages() async throws {
    let pages = Pages(in: try list.shop().client()) { position in
      let offset = position.offset ?? 0
      return Graph.PageQuery(ProductList.request(query: "offset \(offset)")) { data in
        let items = data.products.nodes
        return Graph.Page(items, next: items.count < 2 ? nil : .offset(offset + 2))
      }
    }
    try await wait { pages.phase == .idle }
    list.insertAtStart(0)
    await pages.loadAll(limit: 100)
    #expect(numbers(pages) == [1, 2, 3, 4, 5] && !pages.hasNext)
    #expect(list.requested == ["offset 0", "offset 2", "offset 4", "offset 6"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func numbersSelectPages() async throws {
    let pages = Pages(in: try list.shop().client()) { position in
      let number = position.number ?? 1
      return Graph.PageQuery(ProductList.request(query: "page \(number)")) { data in
        Graph.Page(
          data.products.nodes,
          next: data.products.pageInfo.hasNextPage ? .number(number + 1) : nil)
      }
    }
    try await wait { pages.phase == .idle }
    await pages.loadAll(limit: 100)
    #expect(numbers(pages) == [1, 2, 3, 4, 5])
    #expect(list.requested == ["page 1", "page 2", "page 3"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func operationsOfDocumentsHavePages() async throws {
    let pages = Graph.LivePages(in: try list.shop().client()) { position in
      Graph.PageQuery(ShoesQuery(first: 2, after: position.after)) { data in
        let info = data.products.pageInfo
        return Graph.Page(
          data.products.nodes, hasNextPage: info.hasNextPage, endCursor: info.endCursor)
      }
    }
    try await wait { pages.phase == .idle }
    await pages.loadAll(limit: 100)
    #expect(pages.items.map(\.id) == ["p1", "p2", "p3", "p4", "p5"])
    #expect(pages.items.last?.shoe.title == "Product 5")
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func anotherListReplacesTheItems() async throws {
    let shop = try list.shop()
    let pages = try await begin(shop)
    shop.hold()
    async let loaded: Void = pages.loadNext()
    await shop.waitUntilHeld()
    pages.update { ProductList.query($0, query: "offset 3") }
    #expect(numbers(pages) == [1, 2] && pages.isStale && pages.phase == .refreshing)
    #expect(!pages.hasNext && !pages.isLoadingNext)
    try await wait { list.requested.count == 3 }
    shop.letGo()
    await loaded
    try await wait { pages.phase == .idle }
    #expect(numbers(pages) == [4, 5] && !pages.isStale)
    pages.update { ProductList.query($0, query: "offset 3") }
    #expect(pages.phase == .idle && list.requested == ["-", "c2", "offset 3"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aCancelledTaskDoesNotWait() async throws {
    let shop = try list.shop()
    let pages = Pages(in: shop.client()) { ProductList.query($0) }
    try await wait { pages.phase == .idle }
    shop.hold()
    for load in [pages.loadNext, pages.refresh] {
      let task = Task { await load() }
      await shop.waitUntilHeld()
      task.cancel()
      await task.value
      #expect(pages.phase.isActive)
      shop.letGo()
      try await wait { pages.phase == .idle }
      shop.hold()
    }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await pages.loadNext()
      await pages.loadAll(limit: 10)
      await pages.refresh()
    }
    await late.value
    #expect(pages.phase == .idle && list.requested == ["-", "c2", "-"])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func releasingCancelsTheRequest() async throws {
    let shop = try list.shop()
    shop.hold()
    var pages: Pages? = Pages(in: shop.client()) { ProductList.query($0) }
    await shop.waitUntilHeld()
    weak let released = pages
    let task = try #require(pages?.requestTask)
    pages = nil
    #expect(released == nil && task.isCancelled)
    shop.letGo()
    await task.value
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aBuilderWithAProblemIsAFailure() async throws {
    let pages = Pages(in: try list.shop().client()) { _ in
      Graph.PageQuery(Storefront.buildQuery { $0.products(first: 1) { _ in } }) {
        Graph.Page($0.products.nodes, next: nil)
      }
    }
    #expect(pages.phase.error?.code == .invalidOperation)
    await pages.loadNext()
    #expect(pages.phase.error?.code == .invalidOperation && list.requested.isEmpty)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aResponseWithoutPageIsAnError() async throws {
    let pages = Pages(in: try list.shop().client()) { _ in
      Graph.PageQuery(ProductList.request()) { _ in nil }
    }
    try await wait { !pages.phase.isActive }
    #expect(pages.phase == .failed(.noPage) && list.requested == ["-"])
  }
}
