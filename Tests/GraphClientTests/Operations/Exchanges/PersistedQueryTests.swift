import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct PersistedQueryTests {
  private let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#

  private func client(
    _ transport: ScriptedTransport, _ settings: Graph.PersistedQueries = .post
  ) -> Graph.Client {
    .test(transport) { $0.persistedQueries = settings }
  }

  @Test func sendsTheHashOfTheDocument() async throws {
    let transport = ScriptedTransport(.shop)
    _ = try await client(transport).query(shopQuery())
    let body = try #require(transport.bodies.first)
    let hash = SHA256.hexDigest(try shopQuery().operation().document)
    #expect(body["query"] == nil)
    #expect(
      body["extensions"]?.description
        == #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#)
  }

  @Test(arguments: [
    (200, "application/json"), (400, "application/graphql-response+json"),
    (400, "application/json"),
  ])
  func unknownHashIsRetriedWithTheDocument(status: Int, type: String) async throws {
    let transport = ScriptedTransport(.json(notFound, status: status, type: type), .shop)
    let response = try await client(transport).query(shopQuery())
    #expect(response.data?.shop.name == "Shoes")
    #expect(transport.requests.count == 2)
    #expect(transport.bodies[1]["query"] != nil && transport.bodies[1]["extensions"] != nil)
  }

  @Test func secondNotFoundErrorIsReturned() async throws {
    let transport = ScriptedTransport(.json(notFound))
    let response = try await client(transport).query(shopQuery())
    #expect(response.errors.first?.message == "PersistedQueryNotFound")
    #expect(transport.requests.count == 2)
  }

  @Test func notSupportedErrorDisablesPersistedQueries() async throws {
    let transport = ScriptedTransport(
      .json(
        #"{"errors":[{"message":"no","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#),
      .shop)
    let client = client(transport)
    _ = try await client.query(shopQuery())
    _ = try await client.query(Store.buildQuery(named: "Other") { $0.shop { $0.name() } })
    #expect(transport.bodies.map { $0["extensions"] == nil } == [false, true, true])
    #expect(transport.bodies.map { $0["query"] == nil } == [true, false, false])
  }

  /// One of several servers behind the address knows neither the hash nor persisted queries.
  @Test func notSupportedErrorMayFollowANotFoundError() async throws {
    let notSupported = #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#
    let transport = ScriptedTransport(.json(notFound), .json(notSupported), .shop)
    let response = try await client(transport).query(shopQuery())
    #expect(response.data?.shop.name == "Shoes")
    #expect(transport.bodies.map { $0["extensions"] == nil } == [false, false, true])
    #expect(transport.bodies.map { $0["query"] == nil } == [true, false, false])
  }

  @Test func hashedQueriesCanBeGET() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"shop":{"name":"S","tags":[]}}}"#))
    let query = Store.buildQuery(named: "Q") { $0.shop { $0.name().tags(in: "a+b &c=ä") } }
    _ = try await client(transport, .get()).query(query)
    let request = try #require(transport.requests.first)
    #expect(request.method == .get)
    let components = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: true))
    let items = Dictionary(
      uniqueKeysWithValues: (components.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    #expect(items.keys.sorted() == ["extensions", "operationName", "variables"])
    #expect(items["variables"]?.contains("a+b &c=ä") == true)
    #expect(!request.url.absoluteString.contains("+"))
    #expect(request.headers["Content-Type"] == nil)
  }

  @Test func longURLsUsePOST() async throws {
    let transport = ScriptedTransport(.shop)
    _ = try await client(transport, .get(maximumURLLength: 100)).query(shopQuery())
    #expect(transport.requests.first?.method == .post)
  }

  @Test func mutationsNeverUseGET() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"rename":{"name":"B"}}}"#))
    _ = try await client(transport, .get()).mutate(renameMutation())
    #expect(transport.requests.first?.method == .post)
  }
}
