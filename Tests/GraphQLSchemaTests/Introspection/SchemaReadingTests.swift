import GraphQLPrinting
import GraphQLSchema
import Testing

/// Distinguishing JSON from SDL, and reading several sources as one schema.
@Suite struct SchemaReadingTests {
  @Test(arguments: [
    ("schema.graphqls", "type Query { a: Int }", SourceFormat.typeSystemDocument),
    ("schema.graphql", " \n{ \"data\": {} }", .introspection),
    ("schema.json", "\u{FEFF} {\"__schema\":{}}", .introspection),
    ("schema.JSON", "type Query { a: Int }", .introspection),
    ("schema", "[]", .introspection),
    ("schema", "{ a }", .typeSystemDocument),
    ("schema", "\"\"\"d\"\"\" scalar A", .typeSystemDocument),
    ("schema", "", .typeSystemDocument),
  ])
  func detectsFormatOfSource(name: String, text: String, format: SourceFormat) {
    #expect(Source(name: name, text: text).format == format)
  }

  @Test func appliesExtensionsAcrossFiles() throws {
    let schema = try ServiceSchema.read([
      Source(name: "b.graphqls", text: "extend type Query { b: B } extend enum B { D }"),
      Source(name: "a.graphqls", text: "type Query { a: Int }"),
      Source(name: "c.graphqls", text: "enum B { C }"),
    ])
    #expect(schema.sdl == "type Query {\n  a: Int\n  b: B\n}\n\nenum B {\n  C\n  D\n}\n")
  }

  @Test func appliesExtensionsToIntrospectionResult() throws {
    let service = try ServiceSchema(sdl: "type Query { a: Int }").introspectionResult()
    let schema = try ServiceSchema.read([
      Source(name: "schema.json", bytes: service),
      Source(
        name: "local.graphqls",
        text: "directive @persist on OBJECT extend type Query @persist { b: String }"),
    ])
    #expect(schema.queryType?.fields.map(\.name) == ["a", "b"])
    #expect(schema.queryType?.directives.map(\.name) == ["persist"])
  }

  @Test func diagnosticsContainFileName() throws {
    let error = #expect(throws: Diagnostics.self) {
      try ServiceSchema.read([
        Source(name: "a.graphqls", text: "type Query { a: Int }\nscalar A"),
        Source(name: "b.graphqls", text: "scalar A"),
      ])
    }
    let diagnostic = try #require(error?.elements.first)
    #expect(diagnostic.position?.source == "b.graphqls")
    #expect(diagnostic.notes.first?.position?.source == "a.graphqls")
    #expect(diagnostic.notes.first?.position?.line == 2)
  }

  @Test func reportsSyntaxErrorsOfAllFiles() {
    let error = #expect(throws: Diagnostics.self) {
      try ServiceSchema(sources: [
        Source(name: "a", text: "type Query {"), Source(name: "b", text: "scalar"),
      ])
    }
    #expect(error?.elements.map { $0.position?.source } == ["a", "b"])
  }

  @Test func rejectsEmptyListOfSources() {
    let error = #expect(throws: Diagnostics.self) { try ServiceSchema.read([]) }
    #expect(error?.elements.map(\.message) == ["There is no schema to read."])
  }
}
