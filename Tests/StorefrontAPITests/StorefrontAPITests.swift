import GraphQLRuntime
import StorefrontAPI
import Testing

/// The committed module as its users see it. `swift package generate --check` checks that it is the
/// generator's current output.
@Suite struct StorefrontAPITests {
  @Test func buildsQueriesAndReadsResponses() throws {
    let query = Storefront.buildQuery {
      $0
        .shop { $0.name() }
        .products(first: 10) { $0.nodes { $0.id().title() } }
        .node(alias: "hats", id: "gid://shop/Collection/1") { $0.onCollection { $0.title() } }
    }
    let response = try query.operation().response(
      from: Array(
        #"""
        {"data": {"shop": {"name": "Feathers"},
          "products": {"nodes": [{"id": "p1", "title": "Hat"}, {"id": "p2", "title": "Cap"}]},
          "node__hats": {"__typename": "Collection", "title": "Hats"}},
         "errors": [{"message": "slow", "path": ["products", "nodes", 1]}]}
        """#.utf8))
    let data = try #require(response.data)
    #expect(data.shop.name == "Feathers")
    #expect(data.products.nodes.map(\.title) == ["Hat", "Cap"])
    #expect((data.aliasedNode(alias: "hats") as? Storefront.Collection)?.title == "Hats")
    #expect(response.errors.first?.path == [.key("products"), .key("nodes"), .index(1)])
  }

  @Test func typedAndRawBuildersPrintSameText() throws {
    let shop = GraphQL.AbstractQuery()
    shop.addField(field: "name")
    let raw = GraphQL.AbstractQuery()
    raw.addField(field: "shop", subfields: shop)
    #expect(raw.description == Storefront.buildQuery { $0.shop { $0.name() } }.description)
  }

  @Test func invalidResponseValueThrowsError() throws {
    let operation = try Storefront.buildQuery { $0.shop { $0.name() } }.operation()
    let violation = #expect(throws: GraphQL.ResponseFailure.self) {
      try operation.response(from: Array(#"{"data": {"shop": {"name": 7}}}"#.utf8))
    }
    #expect(
      "\(try #require(violation))" == "shop.name: Shop.name: expected a string, found a number")
  }
}
