import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphClient
@testable import GraphLive

/// The live query of a `Graph.Live` when SwiftUI updates its view.
@MainActor struct LiveQueryHolderTests {
  private func names(of first: Int) -> Graph.PreparedQuery<Storefront.QueryRoot> {
    Graph.PreparedQuery(
      Storefront.buildQuery { $0.products(first: first) { $0.nodes { $0.id().title() } } })
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aLiveQueryContinuesBetweenUpdates() async throws {
    let shop = try CatalogShop()
    let client = shop.client(try CatalogShop.store())
    let holder = Graph.LiveQueryHolder<Storefront.QueryRoot>()
    holder.show(names(of: 2), in: client, .cacheAndNetwork)
    let live = try #require(holder.live)
    holder.show(names(of: 2), in: client, .cacheAndNetwork)
    await live.refetch()
    #expect(holder.live === live && live.value?.products.nodes.count == 2 && shop.requests == 1)

    // Other variables: the store has the response.
    holder.show(names(of: 1), in: client, .cacheAndNetwork)
    #expect(holder.live === live && live.value?.products.nodes.count == 1)
    await live.refetch()
    #expect(shop.requests == 2)

    holder.show(names(of: 1), in: shop.client(try CatalogShop.store()), .cacheAndNetwork)
    #expect(holder.live !== live)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test func aBuildersProblemIsThePhase() throws {
    let holder = Graph.LiveQueryHolder<Storefront.QueryRoot>()
    holder.show(
      Graph.PreparedQuery(Storefront.buildQuery { _ in }), in: try CatalogShop().client(),
      .cacheAndNetwork)
    #expect(holder.live?.phase.error?.code == .invalidOperation)
  }
}
