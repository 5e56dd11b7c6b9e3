import GraphJSON
import GraphQLRuntime
import GraphStorage
import StorefrontAPI
import Testing

/// The schema information for stored data with other names.
@Suite struct SchemaTableRenamingTests {
  private let schema = Storefront.schema

  @Test func returnsStoredKindsOfTypes() {
    #expect(schema.storedKind(ofType: "Product") == .object)
    #expect(schema.storedKind(ofType: "Node") == .abstract)
    #expect(schema.storedKind(ofType: "SearchResult") == .abstract)
    #expect(schema.storedKind(ofType: "CurrencyCode") == .enumeration)
    #expect(schema.storedKind(ofType: "CartInput") == .other)
    #expect(schema.storedKind(ofType: "Nothing") == nil)
  }

  @Test func abstractTypesHavePossibleTypes() {
    #expect(
      schema.possibleTypeNames(ofType: "SearchResult") == ["Article", "Collection", "Product"])
    #expect(schema.possibleTypeNames(ofType: "Product") == ["Product"])
    #expect(schema.possibleTypeNames(ofType: "Nothing").isEmpty)
  }

  @Test func returnsTypesOfFieldsAndArguments() {
    let price = schema.storedType(ofField: "priceRange", of: "Product")
    #expect(price?.name == "PriceRange")
    #expect(price?.kind == .object)
    let by = schema.storedType(ofArgument: "by", of: "product", in: "QueryRoot")
    #expect(by?.name == "ProductReference")
    #expect(by?.kind == .other)
    #expect(schema.storedType(ofField: "handle", of: "ProductReference")?.name == "String")
    #expect(schema.storedType(ofField: "colour", of: "Product") == nil)
    #expect(schema.storedType(ofArgument: "colour", of: "product", in: "QueryRoot") == nil)
  }

  @Test(arguments: [
    (#""Straw hat""#, "title", true), ("7", "title", false), ("null", "title", false),
    ("null", "publishedAt", true), (#""yesterday""#, "publishedAt", false),
    (#"{"__typename":"PriceRange"}"#, "priceRange", true),
    (#"{"__typename":"Money"}"#, "priceRange", false),
    (#"{"&":"ProductVariant:1"}"#, "variantBySelectedOptions", true),
    (#"{"&":"Product:1"}"#, "variantBySelectedOptions", false),
    (#"{"&":"Product.variants:1"}"#, "variants", true),
  ])
  func acceptsOnlyValuesOfFieldType(_ text: String, _ field: String, _ isAccepted: Bool) throws {
    let json = try JSONDocument(parsing: Array(text.utf8))
    #expect(
      schema.accepts(json, at: JSONDocument.rootIndex, asField: field, of: "Product")
        == isAccepted)
  }
}
