import Foundation
import GraphJSON
import GraphQLRuntime
import GraphTesting
import StorefrontAPI
import Testing

/// Fragments and data of operations from drafts that an endpoint completes.
struct CompletedFragmentTests {
  private func endpoint() throws -> MockEndpoint { try MockEndpoint(schema: CatalogShop.schema()) }

  @Test func aFragmentIsCompleted() throws {
    let shoe = try Shoe(
      GraphQL.Draft<Storefront.Product> { $0[\.title] = "Trail" }, completedBy: endpoint())
    #expect(shoe.title == "Trail" && !shoe.vendor.isEmpty && shoe.priceRange.min.amount > 0)
    // The fragment is on another type.
    #expect(throws: FixtureError.self) {
      try Shoe(GraphQL.Draft<Storefront.Shop>(), completedBy: endpoint())
    }
  }

  @Test func theDataOfAnOperationIsCompleted() throws {
    var draft = GraphQL.Draft<Storefront.QueryRoot>()
    draft[\.shop.name] = "Plume"
    let visit = try VisitQuery.Data(draft, completedBy: endpoint(), variables: ["token": "t"])
    #expect(visit.shop.name == "Plume" && !"\(visit.shop.unitsSold)".isEmpty)
    let shoes = try ShoesQuery.Data(
      GraphQL.Draft<Storefront.QueryRoot>(), completedBy: endpoint(), variables: ["first": 2])
    #expect(shoes.products.nodes.count == 2 && !shoes.products.nodes[0].shoe.title.isEmpty)
    // A variable without a default is required.
    let error = #expect(throws: FixtureError.self) {
      try VisitQuery.Data(draft, completedBy: endpoint())
    }
    #expect(error?.description.contains("$token") == true)
  }
}
