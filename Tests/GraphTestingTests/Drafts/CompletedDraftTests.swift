import Foundation
import GraphJSON
import GraphQLExecution
import GraphQLRuntime
import GraphTesting
import StorefrontAPI
import Testing

/// Drafts that an endpoint completes.
struct CompletedDraftTests {
  private typealias Product = Storefront.Product

  private let draft = GraphQL.Draft<Product> {
    $0[\.title] = "Straw hat"
    $0[\.priceRange.min.amount] = 12
  }

  @Test func theScalarsOfTheObjectAndItsObjectsAreGenerated() throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let product = try Product(draft, completedBy: endpoint)
    #expect(product.title == "Straw hat" && product.priceRange.min.amount == 12)
    #expect(!product.vendor.isEmpty && !product.id.rawValue.isEmpty)
    #expect(!product.tags.isEmpty && product.has(\.availableForSale))
    #expect(!product.priceRange.min.currencyCode.rawValue.isEmpty)
    // Objects that the draft does not have are not generated.
    #expect(!product.has(\.priceRange.max) && !product.has(\.options))
    // The same for the same seed.
    #expect(try Product(draft, completedBy: MockEndpoint(schema: Shop.schema)) == product)
    let other = try MockEndpoint(schema: Shop.schema, options: MockOptions(seed: 7))
    #expect(try Product(draft, completedBy: other) != product)
  }

  @Test func objectsOfListsAreCompletedEachByItself() throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let product = try Product(
      GraphQL.Draft {
        $0[\.options].append(GraphQL.Draft<Storefront.ProductOption> { $0[\.name] = "Size" })
        $0[\.options].append(GraphQL.Draft<Storefront.ProductOption> { $0[\.values] = ["Red"] })
      }, completedBy: endpoint)
    #expect(product.options.count == 2 && product.options[0].name == "Size")
    #expect(!product.options[0].values.isEmpty && product.options[1].values == ["Red"])
    #expect(!product.options[1].name.isEmpty)
  }

  @Test func aFragmentSelectsWhatTheObjectHas() throws {
    var fixtures = Fixtures()
    fixtures.values["Shop"] = ["name": "Plume"]
    let endpoint = try MockEndpoint(schema: Shop.schema, fixtures: fixtures)
    let variants = Storefront.ProductQuery.fragment("Variants") {
      $0.variants(first: 2) { $0.nodes { $0.id().title() } }
    }
    let card = Storefront.ProductQuery.fragment("Card") {
      $0.id().title().priceRange { $0.min { $0.amount() }.max { $0.amount().currencyCode() } }
        .spread(variants)
    }
    let product = try Product(draft, completedBy: endpoint, selecting: card)
    #expect(product.title == "Straw hat" && product.priceRange.min.amount == 12)
    #expect(product.priceRange.max.amount > 0 && product.variants.nodes.count == 2)
    #expect(!product.has(\.vendor))
    let shop = try Storefront.Shop(GraphQL.Draft(), completedBy: endpoint)
    #expect(shop.name == "Plume")
  }

  @Test func anObjectWithAKnownIDIsThatOfTheEndpoint() async throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let data = try await endpoint.data("{ products(first: 1) { nodes { id vendor tags } } }")
    let id = try #require(data.at("products.nodes[0].id")?.text)
    let product = try Product(
      GraphQL.Draft { $0[\.id] = GraphQL.ID(rawValue: id) }, completedBy: endpoint)
    #expect(data.at("products.nodes[0].vendor")?.text == product.vendor)
  }

  @Test func resolversAreNotCalled() throws {
    var resolvers = ResolverTable()
    resolvers["Product", "vendor"] = { _ in
      Issue.record("a resolver was called")
      return .json("resolved")
    }
    let endpoint = try MockEndpoint(schema: Shop.schema, resolvers: resolvers)
    #expect(try Product(draft, completedBy: endpoint).vendor != "resolved")
    #expect(endpoint.requests.isEmpty)
  }

  @Test func problemsAreErrors() throws {
    let endpoint = try MockEndpoint(schema: Shop.schema)
    let wrong = GraphQL.Draft<Product> { $0[\.title.count] = 1 }
    #expect(throws: FixtureError.self) { try Product(wrong, completedBy: endpoint) }
    let shop = Storefront.ShopQuery.fragment("ShopName") { $0.name() }
    let error = #expect(throws: FixtureError.self) {
      try Product(draft, completedBy: endpoint, selecting: shop)
    }
    #expect(error?.description.contains("Shop") == true)
    let invalid = Storefront.ProductQuery.fragment("on") { $0.title() }
    #expect(throws: FixtureError.self) {
      try Product(draft, completedBy: endpoint, selecting: invalid)
    }
  }
}
