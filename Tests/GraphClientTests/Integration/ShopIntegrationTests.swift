import Foundation
import GraphQLRuntime
import StorefrontAPI
import Testing

@testable import GraphClient

/// With ariadne, which serves the SDL of the example schema.
@Suite(.enabled(if: TestServer.isRunning, TestServer.absence))
struct ShopIntegrationTests {
  private func client() throws -> Graph.Client { .integration(try TestServer.url("shop")) }

  @Test func readsAllPagesOfProducts() async throws {
    let client = try client()
    var titles: [String] = []
    var cursor: String?
    repeat {
      let page = try await client.query(
        Storefront.buildQuery {
          $0.products(first: 3, after: cursor) {
            $0.nodes { $0.title() }.pageInfo { $0.hasNextPage().endCursor() }
          }
        }
      ).requireData().products
      titles += page.nodes.map(\.title)
      cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : nil
    } while cursor != nil
    #expect(titles == (1...7).map { "Shoe \($0)" })
  }

  @Test func receivesPartialData() async throws {
    let response = try await client().query(
      Storefront.buildQuery {
        $0.shop { $0.name().unitsSold() }.customer(accessToken: "old") { $0.id() }
      })
    #expect(response.data?.shop.name == "Swift Shoes")
    #expect(response.data?.shop.unitsSold.description == "9007199254740993")
    #expect(response.data?.customer == nil)
    #expect(response.errors.first?.code == "UNAUTHENTICATED")
    #expect(response.errors.first?.path == [.key("customer")])
  }

  @Test func pollsACheckoutUntilReady() async throws {
    let client = try client()
    let created = try await client.mutate(
      Storefront.buildMutation {
        $0.checkoutCreate(input: .init(cartId: GraphQL.ID(rawValue: "cart/1"))) {
          $0.checkout { $0.id() }
        }
      })
    let id = try #require(try created.requireData().checkoutCreate.checkout?.id)
    let query = Storefront.buildQuery {
      $0.node(id: id) { $0.onCheckout { $0.ready() } }
    }
    var attempts = 0
    var isReady = false
    while !isReady, attempts < 10 {
      attempts += 1
      let node = try await client.query(query).requireData().node
      isReady = (node as? Storefront.Checkout)?.ready == true
    }
    #expect(isReady && attempts == 3)
  }

  @Test func subscriptionOverServerSentEvents() async throws {
    var numbers: [Int?] = []
    let subscription = Storefront.buildSubscription {
      $0.orderUpdated(id: GraphQL.ID(rawValue: "order/1")) { $0.number().name() }
    }
    for try await event in try client().subscribe(subscription) {
      numbers.append(event.data?.orderUpdated.number)
    }
    #expect(numbers == [1, 2, 3])
  }
}
