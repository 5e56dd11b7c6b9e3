import GraphQLRuntime
import GraphStorage
import StorefrontAPI
import Testing

@Suite struct FieldPathListsTests {
  @Test func recognizesStepsThatAreLists() throws {
    let products = try GraphQL.FieldPath(\Storefront.QueryRoot.products.nodes)
    #expect(products.lists(from: Storefront.QueryRoot.self) == [false, true])
    let tags = try GraphQL.FieldPath(\Storefront.Product.tags)
    #expect(tags.lists(from: Storefront.Product.self) == [true])
    let amount = try GraphQL.FieldPath(\Storefront.Product.priceRange.min.amount)
    #expect(amount.lists(from: Storefront.Product.self) == [false, false, false])
  }
}
