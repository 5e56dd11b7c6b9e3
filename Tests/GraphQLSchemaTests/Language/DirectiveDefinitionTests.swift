import GraphQLPrinting
import GraphQLSchema
import Testing

/// Directives on directive definitions, a proposal that servers already use.
@Suite struct DirectiveDefinitionTests {
  private let sdl = """
    type Query {
      a: Int
    }

    directive @meta(name: String) on DIRECTIVE_DEFINITION

    directive @a(x: Int) @meta(name: "a") repeatable on FIELD | DIRECTIVE_DEFINITION

    extend directive @a @meta
    """

  @Test func parsesAndPrintsThem() throws {
    let document = try Document(parsing: Source(name: "schema", text: sdl))
    #expect(document.text == sdl + "\n")
    guard case .directive(let directive) = document.definitions[2] else {
      Issue.record("no directive")
      return
    }
    #expect(directive.directives.map(\.name) == ["meta"])
    #expect(directive.isRepeatable && directive.locations == [.field, .directiveDefinition])
  }

  @Test func schemaHasThemWithThoseOfExtensions() throws {
    let schema = try ServiceSchema(sdl: sdl)
    #expect(schema.directives["a"]?.directives.map(\.name) == ["meta", "meta"])
    #expect(schema.warnings.map(\.code) == ["UniqueDirectives"])
    #expect(try ServiceSchema(sdl: schema.sdl).sdl == schema.sdl)
  }

  @Test func introspectionListsTheLocation() throws {
    let schema = try ServiceSchema(
      introspection: Source(
        name: "schema.json",
        text: #"{"__schema":{"queryType":{"name":"Q"},"types":[{"kind":"OBJECT","name":"Q","#
          + #""fields":[{"name":"a","type":{"kind":"SCALAR","name":"Int"}}]}],"directives":["#
          + #"{"name":"meta","locations":["DIRECTIVE_DEFINITION","FUTURE"],"args":[]}]}}"#))
    #expect(schema.directives["meta"]?.locations == [.directiveDefinition])
  }

  @Test func definitionMayNameTheLocationOfVariablesOfFragments() throws {
    let schema = try ServiceSchema(
      sdl: "type Query { a: Int } directive @a on FIELD | FRAGMENT_VARIABLE_DEFINITION")
    #expect(schema.directives["a"]?.locations == [.field, .fragmentVariableDefinition])
    #expect(schema.sdl.contains("FIELD | FRAGMENT_VARIABLE_DEFINITION"))
  }

  @Test(arguments: [
    (
      "directive @a @b on FIELD",
      "1:14 KnownDirectives: Unknown directive \"@b\". Did you mean \"@a\"?"
    ),
    (
      "directive @a @skip(if: true) on FIELD",
      "1:14 DirectiveLocations: \"@skip\" cannot be applied to DIRECTIVE_DEFINITION. "
        + "It can be applied to FIELD, FRAGMENT_SPREAD, INLINE_FRAGMENT."
    ),
    (
      "directive @a @a on FIELD | DIRECTIVE_DEFINITION",
      "1:11 DirectiveDefinitionCycles: \"@a\" cannot be used in its own definition."
    ),
    (
      "extend directive @a @deprecated",
      "1:18 ExtensionTargets: Cannot extend \"@a\": it is not defined."
    ),
  ])
  func reportsViolations(definition: String, problem: String) {
    let found = problems(in: definition + " type Query { a: Int }")
    #expect(found.contains(problem), "\(found)")
  }

  @Test func emptyExtensionIsASyntaxError() {
    let error = #expect(throws: Diagnostics.self) {
      try Document(parsing: Source(name: "schema", text: "extend directive @a"))
    }
    #expect(error?.elements.first?.message.contains("extension of \"@a\"") == true)
  }
}
