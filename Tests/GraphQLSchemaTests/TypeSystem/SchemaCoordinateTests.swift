import GraphQLSchema
import Testing

@Suite struct SchemaCoordinateTests {
  @Test(
    arguments: [
      (SchemaCoordinate.type("Product"), "Product"),
      (.member(type: "Product", name: "title"), "Product.title"),
      (.argument(type: "Query", field: "products", name: "first"), "Query.products(first:)"),
      (.directive("cache"), "@cache"),
      (.directiveArgument(directive: "cache", name: "maxAge"), "@cache(maxAge:)"),
    ])
  func parsesItsDescription(coordinate: SchemaCoordinate, text: String) {
    #expect(coordinate.description == text)
    #expect(SchemaCoordinate(text) == coordinate)
  }

  @Test(
    arguments: [
      "", ".", "A.", ".a", "A.b.c", "A b", "1A", "é", "@", "@A.b", "@@a", "A(b:)", "A.b(c:",
      "A.b(c)",
      "A.b(:)", "A.b(c:d:)", "A.b)c:)", "A.b(c:) ", " A", "@a(b: )",
    ])
  func rejectsOtherText(text: String) {
    #expect(SchemaCoordinate(text) == nil)
  }
}
