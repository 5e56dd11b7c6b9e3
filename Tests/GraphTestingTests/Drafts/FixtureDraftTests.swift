import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphTesting
import StorefrontAPI
import Testing

struct FixtureDraftTests {
  @Test func draftsAreFixtures() async throws {
    var fixtures = Fixtures()
    try fixtures.append(
      GraphQL.Draft<Storefront.Product> {
        $0[\.id] = "p1"
        $0[\.title] = "Atlas"
      })
    try fixtures.share(GraphQL.Draft<Storefront.Shop> { $0[\.name] = "Books" })
    let endpoint = try MockEndpoint(schema: Shop.schema, fixtures: fixtures)
    let data = try await endpoint.data(
      "{ shop { name id } products { nodes { id title vendor } } }")
    #expect(data.at("shop.name") == "Books" && data.at("shop.id")?.text != nil)
    #expect(data.at("products.nodes[0].title") == "Atlas")
    // The endpoint generates the rest.
    #expect(data.at("products.nodes[0].vendor")?.text?.isEmpty == false)
  }

  @Test func aDraftWithAProblemIsRefused() {
    var fixtures = Fixtures()
    let draft = GraphQL.Draft<Storefront.Shop> { $0[\.name.count] = 1 }
    #expect(throws: GraphQL.SchemaViolation.self) { try fixtures.share(draft) }
    #expect(throws: GraphQL.SchemaViolation.self) { try fixtures.append(draft) }
    #expect(fixtures.values.isEmpty && fixtures.objects.isEmpty)
  }
}
