import Foundation
import GraphQLRuntime
import Testing

@testable import GraphClient

/// With strawberry.
@Suite(.enabled(if: TestServer.isRunning, TestServer.absence))
struct StoreIntegrationTests {
  private func client(
    _ configure: (inout Graph.ClientConfiguration) -> Void = { _ in }
  ) throws -> Graph.Client {
    .integration(try TestServer.url("store"), configure)
  }

  @Test func queryWithKeywordArguments() async throws {
    let shop = try await client().query(
      Store.buildQuery(named: "Q") { $0.shop { $0.name().legacy__id().tags(in: "de", first: 2) } }
    ).requireData().shop
    #expect(shop.name == "Shoes" && shop.legacy__id == "7" && shop.tags == ["de", "de"])
  }

  @Test func sendsExplicitNull() async throws {
    let client = try client()
    let null = Store.buildQuery { $0.shop { $0.null("in").tags() } }
    #expect(try await client.query(null).data?.shop.tags == ["null"])
    let absent = Store.buildQuery { $0.shop { $0.tags() } }
    #expect(try await client.query(absent).data?.shop.tags == ["absent"])
  }

  @Test func sendsAMutation() async throws {
    #expect(try await client().mutate(renameMutation()).data?.rename?.name == "Boots")
  }

  @Test func uploadFromMemory() async throws {
    let upload = GraphQL.Upload(.data(Data([1, 2, 3])), fileName: "ä b.bin")
    let response = try await client().mutate(
      Store.buildMutation { $0.attach(file: upload) { $0.name() } })
    #expect(response.data?.attach?.name == "ä b.bin 3 6")
  }

  @Test func uploadFromDisk() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(repeating: 1, count: 3_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let upload = GraphQL.Upload(.file(file), fileName: "big", contentType: "image/png")
    let response = try await client().mutate(
      Store.buildMutation { $0.attach(file: upload, note: "n") { $0.name() } })
    #expect(response.data?.attach?.name == "big 3000000 3000000")
  }

  @Test func sendsABatch() async throws {
    let client = try client { $0.batching = Graph.BatchPolicy(window: .milliseconds(50)) }
    async let one = client.query(Store.buildQuery(named: "A") { $0.shop { $0.name() } })
    async let two = client.query(Store.buildQuery(named: "B") { $0.shop { $0.tags(in: "x") } })
    let (first, second) = try await (one, two)
    #expect(first.data?.shop.name == "Shoes" && second.data?.shop.tags == ["x"])
  }

  @Test func persistedQueryFailsWithoutServerSupport() async throws {
    let client = try client { $0.persistedQueries = .post }
    let error = await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    // It does not support the protocol, and reports that in its own way.
    #expect(error != nil)
  }

  @Test(arguments: [Graph.SubscriptionProtocol.serverSentEvents, .multipart])
  func receivesSubscriptionEvents(form: Graph.SubscriptionProtocol) async throws {
    var ticks: [Int?] = []
    let subscription = Store.buildSubscription { $0.tick(from: 5) }
    for try await event in try client().subscribe(subscription, over: form) {
      ticks.append(event.data?.tick)
    }
    #expect(ticks == [5, 6, 7])
  }

  @Test func receivesDeferredFields() async throws {
    let query = Store.buildQuery { root in
      root.node(id: "1") { node in
        node.id()
        node._directive(GraphQL.Directive<Store>("defer"))
        node.onShop { $0.name() }
      }
    }
    var names: [String?] = []
    for try await response in try client().responses(to: query) {
      let shop = try #require(response.data?.node as? Store.Shop)
      names.append(shop.has(\.name) ? shop.name : nil)
    }
    #expect(names == [nil, "Shoes"])
  }

  @Test func errorsOfInvalidQueriesHaveLocations() async throws {
    // The fixture has a field that the server does not have.
    let response = try await client().query(Store.buildQuery { $0.customer { $0.email() } })
    let reason = try #require(response.errors.first)
    #expect(response.data == nil)
    #expect(reason.message.contains("customer") && reason.locations.first?.line == 1)
  }

  @Test func refreshesARefusedToken() async throws {
    let endpoint = try TestServer.url("private/store")
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.integration(endpoint).query(shopQuery())
    }
    #expect(error?.code == .status && error?.response?.status == 401)
    #expect(error?.errors.map(\.message) == ["who?"])
    let refresher = Graph.TokenRefresher(token: "stale") { "good" }
    let client = Graph.Client.integration(endpoint, interceptors: [refresher])
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
  }
}
