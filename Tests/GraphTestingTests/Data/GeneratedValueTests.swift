import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct GeneratedValueTests {
  private let query = """
    { shop { id name url currencyCode unitsSold shipsTo }
      products(first: 2) { nodes { id title vendor publishedAt priceRange { min { amount } } } } }
    """

  @Test func theSameSeedGivesTheSameResponse() async throws {
    let first = try await MockEndpoint(schema: Shop.schema).json(query)
    let second = try await MockEndpoint(schema: Shop.schema).json(query)
    let other = try await MockEndpoint(schema: Shop.schema, options: MockOptions(seed: 7)).json(
      query)
    #expect(first == second)
    #expect(first != other)
    #expect(first["errors"] == nil)
  }

  @Test func valuesMatchTheFormatOfTheirScalars() async throws {
    let data = try await MockEndpoint(schema: Shop.schema).data(query)
    let amount = try #require(data.at("products.nodes[0].priceRange.min.amount")?.text)
    #expect(Double(amount) != nil)
    #expect(try #require(data.at("shop.url")?.text).hasPrefix("https://"))
    #expect(Int(try #require(data.at("shop.unitsSold")?.text)) != nil)
    let time = try #require(data.at("products.nodes[0].publishedAt")?.text)
    #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    guard case .enum(let countries)? = Shop.schema.type(named: "CountryCode") else {
      Issue.record("CountryCode is no enum")
      return
    }
    #expect(countries.values.contains(name: try #require(data.at("shop.shipsTo[0]")?.text)))
  }

  @Test func listsHaveTheConfiguredLength() async throws {
    let endpoint = try MockEndpoint(
      schema: Shop.schema, options: MockOptions(listLength: 5, connectionLength: 7))
    let data = try await endpoint.data(
      "{ shop { enabledCurrencies } products { nodes { tags } totalCount } }")
    #expect(data.at("shop.enabledCurrencies")?.count == 5)
    #expect(data.at("products.nodes")?.count == 7)
    #expect(data.at("products.nodes[6].tags")?.count == 5)
    #expect(data.at("products.totalCount") == "7")
  }

  @Test func generatesEveryFieldOfEveryType() async throws {
    try await generateEveryNode(of: Shop.schema)
  }

  @Test(
    .enabled(if: LargeSchemas.exist, "the shared schemas are not beside this checkout"),
    arguments: LargeSchemas.names)
  func generatesValuesForLargeSchemas(_ name: String) async throws {
    try await generateEveryNode(of: LargeSchemas.schema(name))
  }

  /// Selects all leaves of every type that is a `Node`, by identifier.
  private func generateEveryNode(of schema: ServiceSchema) async throws {
    let endpoint = try MockEndpoint(schema: schema)
    for case .object(let type) in schema.types where schema.isSubtype(type.name, of: "Node") {
      let leaves = type.fields.filter {
        schema.namedType(of: $0.type)?.isLeafType == true
          && $0.arguments.allSatisfy { !$0.isRequired }
      }
      let id = "gid://mock/\(type.name)/12"
      let response = try await endpoint.json(
        "query($id: ID!) { node(id: $id) { ... on \(type.name) { "
          + leaves.map(\.name).joined(separator: " ") + " } } }", ["id": .string(id)])
      #expect(response["errors"] == nil, "\(type.name): \(response)")
      #expect(response.at("data.node.id") == .string(id))
    }
  }

  @Test func mutationsReturnNoUserErrors() async throws {
    let data = try await MockEndpoint(schema: Shop.schema).data(
      "mutation { cartCreate { cart { id } userErrors { message } } }")
    #expect(data.at("cartCreate.userErrors")?.count == 0)
    #expect(data.at("cartCreate.cart.id")?.text != nil)
  }
}
