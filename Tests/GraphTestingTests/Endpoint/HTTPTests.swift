import Foundation
import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct HTTPTests {
  private let endpoint: MockEndpoint

  init() throws { endpoint = try MockEndpoint(schema: Shop.schema) }

  @Test func respondsWithThePreferredMediaType() async throws {
    let modern = try await endpoint.send(Shop.request("{ shop { id } }"))
    #expect(modern.headers["content-type"]?.hasPrefix("application/graphql-response+json") == true)
    let old = try await endpoint.send(
      Shop.request(["query": "{ shop { id } }"], accept: "application/json"))
    #expect(old.headers["content-type"]?.hasPrefix("application/json") == true)
    #expect(modern.status == 200 && old.status == 200)
  }

  @Test(arguments: [
    "{ shop { ", "{ nothing }",
    "query($n: Int!) { shop { id } products(first: $n) { nodes { id } } }",
    "query A { shop { id } } query B { shop { id } }",
  ])
  func requestErrorStatusDependsOnTheMediaType(_ query: String) async throws {
    let modern = try await endpoint.send(Shop.request(query))
    #expect(modern.status == 400)
    let json = try await modern.json
    #expect(json["data"] == nil)
    #expect(json.at("errors[0].message")?.text?.isEmpty == false)
    let old = try await endpoint.send(
      Shop.request(["query": .string(query)], accept: "application/json"))
    #expect(old.status == 200)
  }

  @Test func partialDataStatusDependsOnTheMediaType() async throws {
    endpoint.enqueue(.error(at: "shop.description", "unknown"))
    endpoint.enqueue(.error(at: "shop.description", "unknown"))
    let query = "{ shop { name description } }"
    let modern = try await endpoint.send(Shop.request(query))
    #expect(modern.status == 294)
    #expect(try await modern.json.at("data.shop.name")?.text != nil)
    let old = try await endpoint.send(
      Shop.request(["query": .string(query)], accept: "application/json"))
    #expect(old.status == 200)
  }

  @Test func appliesOperationNameAndVariables() async throws {
    let request = Shop.request([
      "query":
        "query A { shop { name } } query B($n: Int = 1) { products(first: $n) { nodes { id } } }",
      "operationName": "B", "variables": ["n": 4],
    ])
    #expect(try await endpoint.send(request).json.at("data.products.nodes")?.count == 4)
    #expect(endpoint.requests[0].operations[0].operationName == "B")
    #expect(endpoint.requests[0].operations[0].variables == ["n": 4])
  }

  @Test func acceptsQueriesButNotMutationsByGET() async throws {
    var components = URLComponents(url: Shop.url, resolvingAgainstBaseURL: false)
    components?.queryItems = [
      URLQueryItem(name: "query", value: "query($n: Int) { products(first: $n) { nodes { id } } }"),
      URLQueryItem(name: "variables", value: #"{"n":2}"#),
    ]
    let url = try #require(components?.url)
    let response = try await endpoint.send(Graph.HTTPRequest(method: .get, url: url))
    #expect(try await response.json.at("data.products.nodes")?.count == 2)

    components?.queryItems = [
      URLQueryItem(name: "query", value: "mutation { cartCreate { cart { id } } }")
    ]
    let mutation = try await endpoint.send(
      Graph.HTTPRequest(method: .get, url: try #require(components?.url)))
    #expect(mutation.status == 405)
  }

  @Test(arguments: [
    ("", 400), ("{", 400), ("[]", 400), ("{}", 400), (#"{"query":1}"#, 400), ("[1]", 400),
    (#"{"query":"{shop{id}}","variables":[]}"#, 400),
  ])
  func rejectsInvalidRequestBodies(_ body: String, _ status: Int) async throws {
    let request = Graph.HTTPRequest(
      url: Shop.url, headers: ["Content-Type": "application/json", "Accept": "application/json"],
      body: .bytes(Array(body.utf8)))
    let response = try await endpoint.send(request)
    #expect(response.status == status)
    #expect(try await response.json.at("errors[0].message") != nil)
  }

  @Test func rejectsUnsupportedContentTypes() async throws {
    let request = Graph.HTTPRequest(
      url: Shop.url, headers: ["Content-Type": "text/plain"], body: .bytes(Array("{}".utf8)))
    #expect(try await endpoint.send(request).status == 415)
  }

  @Test func rejectsHeaderInjection() async throws {
    var request = Shop.request("{ shop { id } }")
    request.headers["X-Token"] = "a\r\nb"
    await #expect(throws: Graph.TransportError.self) { try await endpoint.send(request) }
  }

  @Test func batchResponsesKeepTheRequestOrder() async throws {
    let batch: JSON = [
      ["query": "{ shop { name } }"], ["query": "{ nothing }"],
      ["query": "{ products(first: 1) { nodes { id } } }"],
    ]
    let json = try await endpoint.send(Shop.request(batch)).json
    guard case .array(let responses) = json, responses.count == 3 else {
      Issue.record("not three responses: \(json)")
      return
    }
    #expect(responses[0].at("data.shop.name")?.text != nil)
    #expect(responses[1].at("errors")?.count == 1)
    #expect(responses[2].at("data.products.nodes")?.count == 1)

    let other = try MockEndpoint(schema: Shop.schema, features: [])
    #expect(try await other.send(Shop.request(batch)).status == 400)
  }

  @Test func uploadedFilesAreAssignedToTheVariables() async throws {
    let schema = try ServiceSchema(
      sdl: """
        scalar Upload
        type Query { a: Int }
        type Mutation { upload(files: [Upload!]!): [String!]! }
        """)
    var resolvers = ResolverTable()
    resolvers["Mutation", "upload"] = { context in
      guard case .array(let files)? = context.arguments["files"] else { return .null }
      return .json(.array(files.map { .string("\($0["fileName"] ?? "") \($0["size"] ?? "")") }))
    }
    let endpoint = try MockEndpoint(schema: schema, resolvers: resolvers)
    let operations = """
      { "query": "mutation($f: [Upload!]!) { upload(files: $f) }", "variables": { "f": [null, null] } }
      """
    let form = Graph.MultipartForm(parts: [
      .init(name: "operations", content: .bytes(Array(operations.utf8))),
      .init(
        name: "map", content: .bytes(Array(#"{"a":["variables.f.0"],"b":["variables.f.1"]}"#.utf8))),
      .init(name: "a", fileName: "a.txt", contentType: "text/plain", content: .bytes([1, 2, 3])),
      .init(name: "b", fileName: "b.txt", content: .bytes([])),
    ])
    let response = try await endpoint.send(
      Graph.HTTPRequest(
        url: Shop.url, headers: ["Content-Type": form.contentType], body: .multipart(form)))
    #expect(try await response.json.at("data.upload") == ["\"a.txt\" 3", "\"b.txt\" 0"])
  }

  @Test func oldRequestsAreDiscardedButCounted() async throws {
    for _ in 0..<2_500 {
      _ = try await endpoint.send(Shop.request("{ shop { id } }"))
    }
    #expect((1_000...2_000).contains(endpoint.requests.count))
    #expect(endpoint.requests.last?.number == 2_499)
  }
}
