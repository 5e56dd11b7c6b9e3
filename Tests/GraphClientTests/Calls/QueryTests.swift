import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct QueryTests {
  @Test func sendsAQueryAndReadsItsResponse() async throws {
    let client = Graph.Client.test(ScriptedTransport(.shop))
    let response = try await client.query(shopQuery())
    #expect(response.data?.shop.name == "Shoes")
    #expect(response.errors.isEmpty && response.error == nil)
  }

  @Test func requestConformsToGraphQLOverHTTP() async throws {
    let transport = ScriptedTransport(.json(#"{"data":{"shop":{"name":"S","tags":["a"]}}}"#))
    let client = Graph.Client.test(transport, headers: ["X-Token": "t"])
    let response = try await client.query(
      Store.buildQuery(named: "Name") { $0.shop { $0.name().tags(in: "de") } })
    #expect(try response.requireData().shop.tags == ["a"])
    let request = try #require(transport.requests.first)
    #expect(request.method == .post && request.url == .endpoint)
    #expect(
      request.headers["Accept"] == "application/graphql-response+json, application/json;q=0.9")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.headers["X-Token"] == "t")
    guard case .object(let body) = request.json else {
      Issue.record("no object")
      return
    }
    #expect(body.keys == ["query", "operationName", "variables"])
    #expect(body["operationName"] == "Name")
  }

  @Test func requestBodyHasNoExtraTopLevelKeys() async throws {
    let transport = ScriptedTransport(.shop)
    _ = try await Graph.Client.test(transport).query(shopQuery())
    guard case .object(let body)? = transport.bodies.first else {
      Issue.record("no object")
      return
    }
    #expect(body.keys == ["query"])
  }

  @Test func readsDataErrorsAndExtensionsTogether() async throws {
    let text = #"""
      {"data":{"shop":{"name":"Shoes"},"customer":null},
      "errors":[{"message":"no","locations":[{"line":1,"column":2}],"path":["customer"],
      "extensions":{"code":"DENIED"}}],"extensions":{"cost":{"requestedQueryCost":3}}}
      """#
    let client = Graph.Client.test(ScriptedTransport(.json(text, status: 294)))
    let response = try await client.query(
      Store.buildQuery { $0.shop { $0.name() }.customer { $0.email() } })
    #expect(response.data?.shop.name == "Shoes")
    let reason = try #require(response.errors.first)
    #expect(reason.message == "no" && reason.path == [.key("customer")])
    #expect(reason.locations.first?.line == 1 && reason.locations.first?.column == 2)
    #expect(reason.code == "DENIED")
    #expect(response.extensions?["cost"]?["requestedQueryCost"] == 3)
    #expect(response.source == .network)
  }

  @Test func anInvalidSelectionIsReportedBeforeSending() async throws {
    let transport = ScriptedTransport(.shop)
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport).query(Store.buildQuery(named: "not a name") { _ in })
    }
    #expect(error?.code == .invalidOperation && error?.errors.isEmpty == false)
    #expect(error?.cause is GraphQL.InvalidQuery)
    #expect(error?.request == nil)
    #expect(transport.requests.isEmpty)
  }

  @Test func headerValuesAreCheckedBeforeSending() async throws {
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, headers: ["X-Token": "a\r\nX-Evil: b"])
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery())
    }
    let cause = try #require(error?.transportError)
    #expect(cause.code == .invalidRequest)
    #expect(transport.requests.isEmpty)
  }

  @Test func responsesLargerThanTheLimitAreRejected() async throws {
    let client = Graph.Client.test(ScriptedTransport(.shop)) { $0.maximumResponseBytes = 10 }
    let error = await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery())
    }
    let cause = try #require(error?.transportError)
    #expect(cause.code == .tooLarge)
  }

  @Test func descriptionsDoNotContainTokens() async throws {
    let transport = ScriptedTransport(.json("denied", status: 403, type: "text/plain"))
    let client = Graph.Client.test(transport, headers: ["Authorization": "Bearer secret"])
    var error: Graph.QueryError?
    do { _ = try await client.query(shopQuery()) } catch let failure { error = failure }
    let request = try #require(transport.requests.first)
    var dumped = ""
    dump(client, to: &dumped)
    dump(error, to: &dumped)
    dump(request, to: &dumped)
    for text in [dumped, "\(client)", "\(String(describing: error))", "\(request)"] {
      #expect(!text.contains("secret"))
      #expect(!text.contains("denied"))
    }
  }
}
