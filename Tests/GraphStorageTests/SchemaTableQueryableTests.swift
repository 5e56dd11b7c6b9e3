import GraphQLRuntime
import GraphStorage
import StorefrontAPI
import Testing

/// Paths of fields in the records of a type.
@Suite struct SchemaTableQueryableTests {
  private func kind(_ path: String, _ type: String = "Product") -> GraphQL.LeafKind? {
    Storefront.schema.leafKind(ofPath: path, inType: type)
  }

  @Test func leafPathsHaveKind() {
    #expect(kind("title") == .text)
    #expect(kind("id") == .text)
    #expect(kind("availableForSale") == .bool)
    #expect(kind("publishedAt") == .dateTime)
    #expect(kind("priceRange.min.amount") == .decimal)
    #expect(kind("priceRange.min.currencyCode") == .text)
  }

  @Test func otherPathsHaveNoKind() {
    #expect(kind("priceRange") == nil)
    #expect(kind("tags") == nil)
    #expect(kind("options.name") == nil)
    #expect(kind("colour") == nil)
    #expect(kind("title", "Nothing") == nil)
  }

  @Test func listsEntityTypesAlongPath() {
    let schema = Storefront.schema
    #expect(
      schema.entityTypeNames(along: "priceRange.min.amount", from: "Product")
        == ["PriceRange", "Money"])
    #expect(schema.entityTypeNames(along: "colour.name", from: "Product").isEmpty)
    #expect(
      schema.entityTypeNames(along: "node", from: "QueryRoot").isSuperset(of: ["Product", "Cart"]))
  }
}
