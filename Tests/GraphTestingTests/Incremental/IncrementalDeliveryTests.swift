import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

/// `@defer` and `@stream`.
struct IncrementalDeliveryTests {
  private static let sdl = """
    directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(label: String, if: Boolean! = true, initialCount: Int = 0) on FIELD
    type Query { shop: Shop!, node: Node }
    interface Node { id: ID! }
    type Shop implements Node { id: ID!, name: String!, tags: [String!]!, owner: Owner!, hats: [Hat!]! }
    type Owner implements Node { id: ID!, email: String }
    type Hat { title: String!, price: Int }
    """

  private func endpoint(
    _ form: IncrementalForm, features: MockFeatures = .all
  ) throws -> MockEndpoint {
    var resolvers = ResolverTable()
    resolvers["Query", "shop"] = { _ in
      .json([
        "id": "1", "name": "Hats", "tags": ["a", "b", "c"], "owner": ["id": "7", "email": "x"],
        "hats": [["title": "Cap", "price": 1], ["title": "Bowler", "price": 2]],
      ])
    }
    return try MockEndpoint(
      schema: try ServiceSchema(sdl: Self.sdl), options: MockOptions(incrementalForm: form),
      resolvers: resolvers, features: features)
  }

  private func payloads(
    _ endpoint: MockEndpoint, _ query: String, variables: JSON = [:]
  ) async throws -> [JSON] {
    let response = try await endpoint.send(
      Shop.request(
        ["query": .string(query), "variables": variables],
        accept: "multipart/mixed, application/graphql-response+json"))
    #expect(response.status == 200)
    guard response.headers["content-type"]?.hasPrefix("multipart/mixed") == true else {
      return [try await response.json]
    }
    let text = try await response.text
    #expect(text.hasSuffix("\r\n-----\r\n"))
    return try text.components(separatedBy: "\r\n---").dropFirst().dropLast().map { part in
      let content = try #require(part.components(separatedBy: "\r\n\r\n").last)
      return try JSON(parsing: Array(content.utf8))
    }
  }

  private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  /// Draft of the specification: 6.4.3, CompleteListValue.
  @Test(
    arguments: [
      ("{ shop { name tags @stream(initialCount: -1) } }", [:]),
      ("query($n: Int) { shop { name tags @stream(initialCount: $n) } }", ["n": -1]),
      ("query($n: Int = -3) { shop { name tags @stream(initialCount: $n) } }", [:]),
    ] as [(String, JSON)])
  func aNegativeInitialCountIsAnErrorOfItsField(_ query: String, _ variables: JSON) async throws {
    let response = try await endpoint(.announced).send(
      Shop.request(
        ["query": .string(query), "variables": variables],
        accept: "multipart/mixed, application/json"))
    #expect(response.headers["content-type"]?.hasPrefix("application/json") == true)
    let json = try await response.json
    #expect(json.at("errors[0].path") == ["shop", "tags"])
    #expect(json.at("errors[0].message") == "`initialCount` of `@stream` is negative.")
    let off = query.replacing("initialCount:", with: "if: false, initialCount:")
    let whole = try await payloads(endpoint(.announced), off, variables: variables)
    #expect(whole.count == 1 && whole[0].at("data.shop.tags") == ["a", "b", "c"])
  }

  @Test func deferredFragmentsAreAnnouncedAndCompleted() async throws {
    let payloads = try await payloads(
      endpoint(.announced),
      """
      { shop { name ... @defer(label: "o") { owner { id ... @defer { email } } } ...Rest @defer } }
      fragment Rest on Shop { tags }
      """)
    let expected = [
      #"""
      {"data":{"shop":{"name":"Hats"}},"pending":[{"id":"0","path":["shop"],"label":"o"},
      {"id":"1","path":["shop"]}],"hasNext":true}
      """#,
      #"""
      {"incremental":[{"id":"0","data":{"owner":{"id":"7"}}}],
      "pending":[{"id":"2","path":["shop","owner"]}],"completed":[{"id":"0"}],"hasNext":true}
      """#,
      #"""
      {"incremental":[{"id":"1","data":{"tags":["a","b","c"]}}],"completed":[{"id":"1"}],
      "hasNext":true}
      """#,
      #"""
      {"incremental":[{"id":"2","data":{"email":"x"}}],"completed":[{"id":"2"}],"hasNext":false}
      """#,
    ]
    #expect(try payloads == expected.map(json))
  }

  @Test func entriesHavePathsInThe2022Format() async throws {
    let payloads = try await payloads(
      endpoint(.paths), "{ shop { name tags @stream(initialCount: 1) ... @defer { id } } }")
    let expected = [
      #"{"data":{"shop":{"name":"Hats","tags":["a"]}},"hasNext":true}"#,
      #"{"incremental":[{"path":["shop","tags",1],"items":["b","c"]}],"hasNext":true}"#,
      #"{"incremental":[{"path":["shop"],"data":{"id":"1"}}],"hasNext":false}"#,
    ]
    #expect(try payloads == expected.map(json))
  }

  @Test func deferredPayloadOmitsFieldsAlreadySent() async throws {
    let payloads = try await payloads(
      endpoint(.announced),
      "{ shop { name hats { title } ... @defer { name hats { title price } } } }")
    #expect(
      payloads[1].at("incremental[0].data")
        == ["hats": [["title": "Cap", "price": 1], ["title": "Bowler", "price": 2]]])
  }

  @Test func errorsAreSentWithTheirPayload() async throws {
    let endpoint = try endpoint(.announced)
    endpoint.enqueue(
      .error(at: "shop.owner.email", "secret"), .error(at: "shop.hats[1].price", "unknown"))
    let payloads = try await payloads(
      endpoint,
      "{ shop { hats { price } ... @defer { owner { email } } } }")
    #expect(payloads[0].at("errors")?.count == 1)
    #expect(payloads[0].at("errors[0].message") == "unknown")
    #expect(payloads[1].at("incremental[0].errors[0].message") == "secret")
    #expect(payloads[1].at("incremental[0].data.owner.email") == .null)
  }

  @Test(
    arguments: [
      ("query($on: Boolean!) { shop { ... @defer(if: $on) { id } } }", ["on": false]),
      ("query($on: Boolean = false) { shop { ... @defer(if: $on) { id } } }", [:]),
      ("{ shop { tags @stream(initialCount: 9) } }", [:]),
    ] as [(String, JSON)])
  func sendsOneResponseIfNothingIsDeferred(query: String, variables: JSON) async throws {
    let payloads = try await payloads(endpoint(.announced), query, variables: variables)
    #expect(payloads.count == 1 && payloads[0]["hasNext"] == nil)
  }

  /// Without `__typename` in the data, the fields tell which fragment applies.
  @Test(arguments: ["__typename", ""])
  func aFragmentOfAnotherTypeIsNotAnnounced(typeName: String) async throws {
    var resolvers = ResolverTable()
    resolvers["Query", "node"] = { _ in .json(["__typename": "Owner", "id": "7", "email": "x"]) }
    let endpoint = try MockEndpoint(schema: try ServiceSchema(sdl: Self.sdl), resolvers: resolvers)
    let payloads = try await payloads(
      endpoint,
      "{ node { \(typeName) id ... on Shop @defer { name } ... on Owner @defer { email } } }"
    )
    #expect(payloads[0].at("pending")?.count == 1)
    #expect(payloads[1].at("incremental[0].data") == ["email": "x"])
  }

  @Test func serviceWithoutDeferSupportSendsOneResponse() async throws {
    let payloads = try await payloads(
      endpoint(.announced, features: .batching), "{ shop { ... @defer { id } } }")
    #expect(try payloads == [json(#"{"data":{"shop":{"id":"1"}}}"#)])
  }

  @Test func rejectsDirectivesMissingFromTheSchema() async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let response = try await endpoint.send(Shop.request("{ shop { ... @defer { id } } }"))
    #expect(response.status == 400)
  }
}
