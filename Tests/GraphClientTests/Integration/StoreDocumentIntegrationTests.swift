import Foundation
import GraphQLRuntime
import Testing

@testable import GraphClient
@testable import GraphWebSocket

/// Operations of documents with strawberry.
@Suite(.enabled(if: TestServer.isRunning, TestServer.absence))
struct StoreDocumentIntegrationTests {
  private func client(
    _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) throws -> Graph.Client {
    .integration(try TestServer.url("store"), configure)
  }

  @Test(arguments: [
    (StoreTagsQuery(language: "de"), "de"), (StoreTagsQuery().null("language"), "null"),
    (StoreTagsQuery(), "absent"),
  ])
  func sendsVariables(query: StoreTagsQuery, tag: String) async throws {
    let shop = try await client().query(query).requireData().shop
    #expect(shop.tags == [tag])
  }

  @Test func conditionsDecideWhatIsSent() async throws {
    let client = try client()
    let short = try await client.query(StoreNameQuery(isLong: false)).requireData().shop
    let long = try await client.query(StoreNameQuery(isLong: true)).requireData().shop
    #expect(short.name == "Shoes" && short.employees == nil && long.employees == 12)
  }

  @Test func uploadsAFile() async throws {
    let file = GraphQL.Upload(.data(Data([1, 2, 3])), fileName: "ä b.bin")
    let response = try await client().mutate(AttachMutation(file: file, note: "n"))
    #expect(response.data?.attach?.name == "ä b.bin 3 6")
  }

  @Test func sendsABatch() async throws {
    let client = try client { $0.batching = Graph.BatchPolicy(window: .milliseconds(50)) }
    async let one = client.query(StoreNameQuery(isLong: false))
    async let two = client.query(StoreTagsQuery(language: "x"))
    let (first, second) = try await (one, two)
    #expect(first.data?.shop.name == "Shoes" && second.data?.shop.tags == ["x"])
  }

  @Test(arguments: [Graph.SubscriptionProtocol.serverSentEvents, .multipart, .webSocket])
  func receivesSubscriptionEvents(form: Graph.SubscriptionProtocol) async throws {
    var ticks: [Int?] = []
    for try await event in try client().subscribe(TickSubscription(), over: form) {
      ticks.append(event.data?.tick)
    }
    #expect(ticks == [5, 6, 7])
  }

  @Test func receivesDeferredFields() async throws {
    var names: [String?] = []
    var deliveries: [GraphQL.Delivery] = []
    for try await response in try client().responses(to: StoreNodeQuery(id: "1")) {
      let node = try #require(response.data?.node)
      deliveries.append(node.deferredDelivery)
      names.append(node.deferred?.name)
    }
    #expect(names == [nil, "Shoes"] && deliveries == [.pending, .complete])
  }

  @Test func errorsOfInvalidQueriesHaveLocations() async throws {
    let response = try await client().query(StoreCustomerQuery())
    let reason = try #require(response.errors.first)
    #expect(response.data == nil)
    #expect(reason.message.contains("customer") && reason.locations.first?.line == 1)
  }
}
