import GraphJSON
import GraphQLExecution
import GraphQLSchema
import GraphTesting
import Testing

struct FixtureTests {
  private let fixtures = """
    { "types": {
        "Shop": { "name": "Treeswift Books", "enabledCurrencies": ["EUR"] },
        "Product": [
          { "id": "p1", "handle": "atlas", "title": "Atlas", "variants": [{ "id": "v1" }] },
          { "id": "p2", "handle": "bestiary", "title": "Bestiary" } ],
        "Decimal": "9.99" },
      "paths": {
        "shop.description": null,
        "products.nodes[1].vendor": "Acme",
        "collections.nodes[0]": { "title": "Featured" } } }
    """

  private func endpoint() throws -> MockEndpoint {
    try MockEndpoint(schema: Shop.schema, fixtures: Fixtures(parsing: Array(fixtures.utf8)))
  }

  @Test func valuesOfATypeApplyToAllOfItsObjects() async throws {
    let data = try await endpoint().data("{ shop { name description enabledCurrencies id } }")
    #expect(data.at("shop.name") == "Treeswift Books")
    #expect(data.at("shop.description") == .null)
    #expect(data.at("shop.enabledCurrencies") == ["EUR"])
    #expect(data.at("shop.id")?.text != nil)
  }

  @Test func objectsOfATypeFillItsListsAndLookups() async throws {
    let data = try await endpoint().data(
      """
      { products { totalCount nodes { id title vendor variants { totalCount: nodes { id } } } }
        product(by: { handle: "bestiary" }) { id title }
        node(id: "p1") { ... on Product { title priceRange { min { amount } } } }
        none: product(by: { handle: "nothing" }) { id } }
      """)
    #expect(data.at("products.totalCount") == "2")
    #expect(data.at("products.nodes[0].title") == "Atlas")
    #expect(data.at("products.nodes[0].variants.totalCount") == [["id": "v1"]])
    #expect(data.at("product.id") == "p2")
    #expect(data.at("node.title") == "Atlas")
    #expect(data.at("node.priceRange.min.amount") == "9.99")
    #expect(data.at("none") == .null)
  }

  @Test func pathFixturesApplyWithinPages() async throws {
    let data = try await endpoint().data(
      "{ products { nodes { vendor } } collections(first: 1) { nodes { id title } } }")
    #expect(data.at("products.nodes[1].vendor") == "Acme")
    #expect(data.at("products.nodes[0].vendor") != "Acme")
    #expect(data.at("collections.nodes[0].title") == "Featured")
  }

  @Test(arguments: [
    (#"{"types":{"Shop":{"nam":"x"}}}"#, "no field \"nam\". Did you mean \"name\"?"),
    (#"{"types":{"Shop":{"name":1}}}"#, "Shop.name: The value is not one of \"String\"."),
    (#"{"types":{"Shop":{"name":null}}}"#, "null is not a value of \"String!\"."),
    (#"{"types":{"CurrencyCode":"XXX"}}"#, "not one of \"CurrencyCode\""),
    (#"{"types":{"Nothing":{}}}"#, "There is no output type \"Nothing\"."),
    (#"{"paths":{"shop.nothing":1}}"#, "\"nothing\" does not exist there."),
    (#"{"paths":{"a..b":1}}"#, "is not a path"),
    (#"{"types":{"Product":[1]}}"#, "values that are not objects"),
    (#"{"tips":{}}"#, "neither `types` nor `paths`"),
  ])
  func rejectsFixturesThatViolateTheSchema(_ json: String, _ message: String) throws {
    let error = #expect(throws: FixtureError.self) {
      try MockEndpoint(schema: Shop.schema, fixtures: Fixtures(parsing: Array(json.utf8)))
    }
    #expect(try #require(error).description.contains(message), "\(String(describing: error))")
  }
}
