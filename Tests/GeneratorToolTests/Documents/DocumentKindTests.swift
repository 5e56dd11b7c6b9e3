import Testing

@testable import graphql_generator

@Suite("A file is a schema or a document by its first definition")
struct DocumentKindTests {
  private func kind(_ text: String) -> DocumentKind { DocumentKind(of: Array(text.utf8)) }

  @Test(arguments: [
    "query Shop { shop { name } }", "{ shop { name } }", "mutation M { a }", "subscription S { a }",
    "fragment type on Product { id }", "# type Query\n\n,query A { a }", "\u{FEFF}query A { a }",
    "\"type A { a }\" query A { a }", "\"\"\"\ntype \\\"\"\" \" A\n\"\"\" fragment F on A { a }",
    "qurey A { type } fragment F on A { a }", "{\n  a }", "query{a}",
  ])
  func documents(text: String) {
    #expect(kind(text) == .document)
  }

  @Test(arguments: [
    "type Query { a: Int }", "schema { query: Query }", "scalar Date", "interface Node { id: ID! }",
    "union A = B", "enum A { B }", "input A { b: Int }", "directive @a on FIELD",
    "extend type A { b: Int }",
    "\"\"\"query Q { a }\"\"\" type Query { a: Int }", "\"a \\\" query\" type Query { a: Int }",
    "# query\r\ntype Query { a: Int }", "{ \"data\": { \"__schema\": {} } }", "{\"__schema\":{}}",
    "\"not closed\ntype Query { a: Int }",
  ])
  func schemas(text: String) {
    #expect(kind(text) == .schema)
  }

  @Test(arguments: [
    "", "  \n# query A { a }\n", "\"\"\"query", "tpye Query { query: Int }", "\"", "\\",
  ])
  func undecided(text: String) {
    #expect(kind(text) == .undecided)
  }

  /// The user has just created the file.
  @Test func anEmptyFileIsADocumentUnlessItIsNamedLikeASchema() {
    #expect(kind("").isDocument(named: "Cart.graphql"))
    #expect(!kind("").isDocument(named: "schema.graphql"))
    #expect(!kind("type A { b: Int }").isDocument(named: "Cart.graphql"))
    #expect(kind("query A { b }").isDocument(named: "schema.graphql"))
  }

  @Test(arguments: [
    ("type A { a: Int } query B { a }", true), ("scalar A fragment B on A { a }", true),
    ("union A = B {a}", false), ("union A = B\n{ a }\nmutation { a }", true),
    ("type query { fragment: Int }", false), ("schema @query { query: Query }", false),
    ("union A = | query | fragment", false),
    ("type A implements query & mutation { a: Int }", false),
    ("directive @query on QUERY", false), ("# query A\ntype A { a: Int }", false),
    ("\"\"\"\nquery A { a }\n\"\"\" type A { a(b: Int = 1): Int }", false),
    ("extend type subscription { a: Int }", false), ("input query { a: [Int] = [1] }", false),
  ])
  func schemasWithOperations(text: String, isMixed: Bool) {
    #expect(DocumentKind.hasOperations(Array(text.utf8)) == isMixed)
  }
}
