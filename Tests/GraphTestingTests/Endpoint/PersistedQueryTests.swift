import GraphClient
import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import StorefrontAPI
import Testing

struct PersistedQueryTests {
  private static let query = "{ shop { name } }"
  // From `printf '{ shop { name } }' | sha256sum`.
  private static let hash = "d87467d81cf8b1001256a65ff79cf59a2002d2c31d46a049be787ef1c9802317"

  private func body(_ query: String?, hash: String = Self.hash) -> JSON {
    var body: JSON.Object = [
      "extensions": ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]
    ]
    if let query { body["query"] = .string(query) }
    return .object(body)
  }

  @Test func aHashIsUnknownUntilItsDocumentWasSent() async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let miss = try await endpoint.send(Shop.request(body(nil)))
    #expect(miss.status == 200)
    #expect(try await miss.json.at("errors[0].message") == "PersistedQueryNotFound")
    let full = try await endpoint.send(Shop.request(body(Self.query))).json
    let hit = try await endpoint.send(Shop.request(body(nil))).json
    #expect(full.at("data.shop.name") != nil)
    #expect(hit == full)
  }

  @Test func aHashOfAnotherDocumentIsRefused() async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let response = try await endpoint.send(Shop.request(body("{ shop { id } }")))
    #expect(response.status == 400)
    let later = try await endpoint.send(Shop.request(body(nil))).json
    #expect(later.at("errors[0].extensions.code") == "PERSISTED_QUERY_NOT_FOUND")
  }

  @Test func reportsUnsupportedPersistedQueries() async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema, features: .batching)
    let json = try await endpoint.send(Shop.request(body(nil))).json
    #expect(json.at("errors[0].message") == "PersistedQueryNotSupported")
  }

  /// Lengths around the block length of 64 bytes, compared with `sha256sum`.
  @Test(arguments: [
    (12, "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"),
    (55, "7fb52ed202b9d966b5f53fbeb830f2f1a2e11385f707523e7d4cbb0d37f635ae"),
    (56, "1d79b41222764f40ba57f15704281a41fa0938a97b482991bd3a802d1c279d9b"),
    (57, "0d87e520008247ccc0874cfa3dcece70c722c54190becf543e8ea79a1bc22595"),
    (63, "b143764709e132f62d39fa373086b3e0f7e6363deef012be7a890554244ba9c9"),
    (64, "ab57db9f53c10b7c0f81bb01789e459090077b7fb886003a3af9db7b20107877"),
    (65, "f66e54d50c65fe54ab82d1c11cceb762e16440d5b770abb101d8b52a7edbe17b"),
    (119, "11dc94875795b6fb7948a5f51b2527ec77bac8051007bd43f133ef9c41b4353e"),
    (120, "9af1e521d3313ae1568d7e4591642a3455cdd3088cc564eb8d35f682a8525b53"),
    (1000, "dce7c492e1326a93a5fa3ea8c189bb4ef35a76151d3fa665ebe0a622261d1fda"),
  ])
  func hashesAreSHA256(_ length: Int, _ hash: String) async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let query = "{__typename" + String(repeating: " ", count: length - 12) + "}"
    let json = try await endpoint.send(Shop.request(body(query, hash: hash))).json
    #expect(json.at("data.__typename") == "QueryRoot")
  }

  /// A service that accepts only documents that it knows.
  @Test(arguments: [Graph.TrustedDocuments.Form.persistedQuery, .documentID])
  func theManifestOfBuildersIsRecorded(_ form: Graph.TrustedDocuments.Form) async throws {
    let recording = try MockEndpoint(schema: Shop.schema)
    for query in [
      "query Name { shop { name } }", "query B { shop { id } }", "{ shop { id } }",
      "query C { no }",
    ] {
      _ = try await recording.send(Shop.request(["query": .string(query)]))
    }
    let manifest = recording.manifest()
    let json = try JSON(parsing: manifest)
    #expect(json.at("operations[0].name") == "B" && json.at("operations[1].name") == "Name")
    #expect(json.at("operations[2]") == nil)
    let hash = try #require(json.at("operations[1].id"))

    let endpoint = try MockEndpoint(schema: Shop.schema)
    endpoint.addTrustedDocuments(["query Name { shop { name } }"])
    let request: JSON =
      form == .documentID
      ? ["documentId": .string("sha256:" + (hash.text ?? ""))]
      : ["extensions": ["persistedQuery": ["version": 1, "sha256Hash": hash]]]
    let response = try await endpoint.send(Shop.request(request)).json
    #expect(response.at("data.shop.name") != nil)
    let unknown = try await endpoint.send(Shop.request(["documentId": "x"])).json
    #expect(unknown.at("errors[0].extensions.code") == "PERSISTED_QUERY_NOT_FOUND")
    _ = try Graph.TrustedDocuments(manifest: manifest, form: form)
  }

  /// With both settings, a client sends trusted queries as GET requests that have the id in their address.
  @Test(arguments: [Graph.TrustedDocuments.Form.persistedQuery, .documentID])
  func trustedDocumentsMayBeRequestedByGET(_ form: Graph.TrustedDocuments.Form) async throws {
    let query = Storefront.buildQuery { $0.shop { $0.name() } }
    let endpoint = try MockEndpoint(schema: Shop.schema)
    endpoint.addTrustedDocuments([try query.operation().document])
    var configuration = Graph.ClientConfiguration()
    configuration.storage = Graph.MemoryStorage()
    configuration.trustedDocuments = .hashes(form: form)
    configuration.persistedQueries = .get()
    let client = Graph.Client(
      endpoint: Shop.url, transport: endpoint, configuration: configuration)
    #expect(try await client.query(query).errors == [])
    #expect(endpoint.requests.map(\.http.method) == [.get])
    let id = endpoint.requests[0].operations[0].documentID
    #expect(id?.hasPrefix("sha256:") == (form == .documentID ? true : nil))
  }
}
