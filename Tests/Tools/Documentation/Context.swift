// Declarations that the documentation's samples use: a client of an endpoint inside the process, a
// store in a file, and values of the example schema.
import Foundation
import GraphClient
import GraphCompatibilityTesting
import GraphJSON
import GraphLive
import GraphOutbox
import GraphQLComparison
import GraphQLExecution
import GraphQLPrinting
import GraphQLRuntime
import GraphQLSchema
import GraphRateLimits
import GraphStore
import GraphTelemetry
import GraphTesting
import GraphValkey
import GraphWebSocket
import StorefrontAPI

/// The namespace of the reader's own module.
typealias API = Storefront

let url = URL(string: "https://shop.example/graphql")!
let token = "a token"
let valkey = try! Graph.Valkey(.init(.host("localhost"), namespace: "samples"))
let id: GraphQL.ID = "gid://shop/Product/1"
let cartID: GraphQL.ID = "gid://shop/Cart/1"

/// The package's root is the working directory.
let schema = try! ServiceSchema.read([
  Source(name: "schema.graphql", bytes: Array(Data(contentsOf: URL(filePath: "schema.graphql"))))
])
let endpoint = try! MockEndpoint(
  schema: schema,
  fixtures: Fixtures([
    "types": [
      "Product": [["id": "gid://shop/Product/1", "title": "Straw hat", "vendor": "Plume"]]
    ]
  ]))
let client: Graph.Client = {
  var configuration = Graph.ClientConfiguration()
  configuration.storage = Graph.MemoryStorage()
  return Graph.Client(
    endpoint: url, transport: endpoint, cachePolicy: .networkOnly, configuration: configuration)
}()

let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID())")
let file = folder.appending(path: "shop.store")

/// Sends an operation, and returns the bytes of the response.
func send<Root>(_ operation: GraphQL.Operation<Root>) async throws -> [UInt8] {
  var body = JSONWriter()
  body.beginObject()
  body.key("query")
  body.string(operation.document)
  body.key("variables")
  body.value(try JSON(parsing: operation.variables))
  body.endObject()
  let request = Graph.HTTPRequest(
    method: .post, url: url, headers: ["Content-Type": "application/json"],
    body: .bytes(body.finish()))
  var bytes: [UInt8] = []
  for try await chunk in try await endpoint.send(request).body { bytes += chunk }
  return bytes
}

// Further declarations for samples in comments.
let bytes = Array(#"{"data":{"shop":{"name":"Feathers & Co"}}}"#.utf8)
let operation = try! Storefront.buildQuery { $0.shop { $0.name() } }.operation()
let response = try! operation.response(from: bytes)
let document = try! Document(
  parsing: Source(name: "query.graphql", bytes: Array("{shop{name}}".utf8)))
let store = Graph.Store(inMemory: Storefront.schema)
let product = try! Storefront.Product(fields: ["id": "1", "title": "Straw hat"])
let cart = GraphQL.EntityKey(typeName: "Cart", key: cartID.rawValue)
@MainActor let mutation = Storefront.buildMutation {
  $0.cartNoteUpdate(cartId: cartID, note: "A present") { $0.cart { $0.id().note() } }
}

struct MyTransport: Graph.Transport {
  func send(_ request: Graph.HTTPRequest) async throws -> Graph.HTTPResponse {
    try await endpoint.send(request)
  }
}

func startServer(_ service: TransportConformance.Service) async throws -> (url: URL, port: Int) {
  (url, 80)
}

func productOperation(
  _ key: String, hasVendor: Bool
) throws -> GraphQL.Operation<Storefront.QueryRoot> {
  try Storefront.buildQuery {
    $0.product(by: .id(GraphQL.ID(rawValue: key))) {
      $0.id().title()
      if hasVendor { $0.vendor() }
    }
  }.operation()
}

let responseSample = ResponseStoreSample<Storefront.QueryRoot>(
  operation: { try productOperation($0, hasVendor: $1 == .both) },
  names: (key: "id", first: "title", second: "vendor"), path: "product",
  data: { #"{"product":\#($0)}"# })
let sample = ModelManagerSample<Storefront.QueryRoot, Storefront.Product>(
  operation: { try productOperation($0, hasVendor: $1 == .both) },
  names: (key: "id", first: "title", second: "vendor"), path: "product",
  data: { #"{"product":\#($0)}"# }, values: { ($0.title, $0.vendor) })
