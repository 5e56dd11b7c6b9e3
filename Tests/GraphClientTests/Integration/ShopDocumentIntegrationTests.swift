import Foundation
import GraphQLRuntime
import GraphStore
import StorefrontAPI
import Testing

@testable import GraphClient
@testable import GraphWebSocket

/// Operations of documents with ariadne, which serves the SDL of the example schema.
@Suite(.enabled(if: TestServer.isRunning, TestServer.absence))
struct ShopDocumentIntegrationTests {
  private func client() throws -> Graph.Client { .integration(try TestServer.url("shop")) }

  @Test func readsAllPagesOfProducts() async throws {
    let client = try client()
    var shoes: [Shoe] = []
    var cursor: String?
    repeat {
      let query = ShoesQuery(after: cursor)
      let page = try await client.query(query).requireData().products
      shoes += page.nodes.map(\.shoe)
      cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : nil
    } while cursor != nil
    #expect(shoes.map(\.title) == (1...7).map { "Shoe \($0)" })
    #expect(shoes.first?.priceRange.min.amount.description == "54.9")
    #expect(shoes.first?.priceRange.min.currencyCode == .eur)
  }

  @Test func receivesPartialData() async throws {
    let response = try await client().query(VisitQuery(token: "old"))
    #expect(response.data?.shop.name == "Swift Shoes")
    #expect(response.data?.shop.unitsSold.description == "9007199254740993")
    #expect(response.data?.customer == nil)
    #expect(response.errors.first?.code == "UNAUTHENTICATED")
    #expect(response.errors.first?.path == [.key("customer")])
  }

  @Test func pollsACheckoutUntilReady() async throws {
    let client = try client()
    let started = try await client.mutate(StartCheckoutMutation(input: .init(cartId: "cart/1")))
    let id = try #require(try started.requireData().checkoutCreate.checkout?.id)
    var states: [Bool] = []
    while states.last != true, states.count < 10 {
      let node = try await client.query(CheckoutStateQuery(id: id)).requireData().node
      guard case .checkout(let checkout)? = node?.kind else { break }
      states.append(checkout.ready)
    }
    #expect(states == [false, false, true])
  }

  @Test(arguments: [Graph.SubscriptionProtocol.serverSentEvents, .webSocket])
  func receivesSubscriptionEvents(form: Graph.SubscriptionProtocol) async throws {
    var numbers: [Int?] = []
    for try await event in try client().subscribe(OrderStateSubscription(id: "order/1"), over: form)
    {
      numbers.append(event.data?.orderUpdated.number)
    }
    #expect(numbers == [1, 2, 3])
  }

  @Test func sharesStoredObjectsWithFragments() async throws {
    let store = Graph.Store(inMemory: Storefront.schema)
    let client = Graph.Client(endpoint: try TestServer.url("shop"), store: store)
    let query = ShoesQuery(first: 2)
    let sent = try await client.query(query)
    #expect(sent.source == .network && sent.storeError == nil)
    let stored = try await client.query(query, cachePolicy: .cacheOnly)
    #expect(stored.data == sent.data && stored.data?.products.nodes.count == 2)
    let id = try #require(sent.data?.products.nodes.last?.id)
    let shoe = try store.read(Shoe.self, key: id.rawValue)
    #expect(shoe.data == sent.data?.products.nodes.last?.shoe && shoe.missing.isEmpty)
  }
}
