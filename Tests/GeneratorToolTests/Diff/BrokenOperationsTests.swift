import GraphJSON
import TestSupport
import Testing

@testable import graphql_generator

@Suite("diff lists the operations that a change breaks")
struct BrokenOperationsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "Schema/schema.graphql": smallSchema,
      "Schema/Shelf.graphql": "query Shelf { book(id: 1) { ...Card } }",
      "Schema/Card.graphql": "fragment Card on Book {\n  title\n}",
      "Schema/Genres.graphql": "query Genres { genres }",
      "Schema/Wrong.graphql": "query Wrong { nothing }",
    ])
  }

  private func diff(_ new: String, _ arguments: String...) throws -> ToolRun {
    let new = try folder.write(new, to: "new.graphqls")
    return ToolRun(
      ["diff", folder.path("Schema"), new, "--documents", folder.path("Schema")] + arguments)
  }

  @Test func operationsAndTheirErrorsAreListed() throws {
    let run = try diff(smallSchema.replacing("title: String!", with: "name: String!"))
    #expect(run.status == .problems)
    let card = folder.path("Schema/Card.graphql")
    #expect(
      run.output.contains(
        """
        Broken operations:
          Shelf (\(folder.path("Schema/Shelf.graphql")):1)
            \(card):2:3: 
        """))
    #expect(
      run.output.hasSuffix(
        "1 breaking, 0 dangerous, 1 safe changes, 1 broken operation, 1 invalid operation\n"))
  }

  /// The documents stay valid, but programs that were generated from the older schema cannot read the results.
  @Test(arguments: ["String", "Int!", "[String!]!"])
  func operationsWithResultsOfOtherTypesAreListed(type: String) throws {
    let run = try diff(smallSchema.replacing("title: String!", with: "title: \(type)"))
    let card = folder.path("Schema/Card.graphql")
    #expect(
      run.output.contains(
        """
        Broken operations:
          Shelf (\(folder.path("Schema/Shelf.graphql")):1)
            \(card):2:3: The type of "Book.title" is "\(type)", not "String!".
        """))
    #expect(run.output.hasSuffix("1 broken operation, 1 invalid operation\n"))
  }

  /// Apps that were built with the older schema send the keys that were added for it.
  @Test(arguments: [
    ("", #"has no field "id""#), ("  id: Int!\n", #"The type of "Book.id" is "Int!", not "ID!"."#),
  ])
  func operationsWithAddedKeysAreListed(line: String, message: String) throws {
    try #require(smallSchema.contains("type Book {\n  id: ID!\n"))
    let run = try diff(
      smallSchema.replacing("type Book {\n  id: ID!\n", with: "type Book {\n\(line)"))
    #expect(run.output.contains("Shelf ("))
    #expect(run.output.contains(message))
    #expect(run.output.hasSuffix("1 broken operation, 1 invalid operation\n"))
  }

  /// Apps that were built with a schema that defines `@connection` send it.
  @Test func operationsWithADirectiveThatIsRemovedAreListed() throws {
    let directive = "directive @connection(key: String) on FIELD\n"
    try folder.write(smallSchema + directive, to: "Schema/schema.graphql")
    try folder.write("query Genres { genres @connection(key: \"g\") }", to: "Schema/Genres.graphql")
    let run = try diff(smallSchema)
    #expect(run.output.contains("  Genres (\(folder.path("Schema/Genres.graphql")):1)\n"))
    #expect(run.output.contains("@connection"))
    #expect(run.output.hasSuffix("1 broken operation, 1 invalid operation\n"))
    #expect(
      try diff(smallSchema + directive).output.hasSuffix(
        "0 broken operations, 1 invalid operation\n"))
  }

  @Test func operationsThatWereInvalidAreListed() throws {
    let run = try diff(smallSchema)
    let wrong = folder.path("Schema/Wrong.graphql")
    #expect(run.status == .success)
    #expect(
      run.output.hasPrefix(
        """
        Operations that are invalid for the older schema:
          Wrong (\(wrong):1)
            \(wrong):1:15: 
        """))
    #expect(run.output.hasSuffix("0 broken operations, 1 invalid operation\n"))
    let report = try JSONDocument(parsing: diff(smallSchema, "--json").output).root
    let operation = try #require(report["invalidOperations"]?.array?.first)
    #expect(operation["name"]?.string == "Wrong")
    #expect(operation["errors"]?.array?.count == 1)
  }

  /// Introspection does not list the directives of incremental delivery, and no service knows those of
  /// clients.
  @Test func directivesThatTheSchemaLacksAreRead() throws {
    let definitions = try folder.write(
      "directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT",
      to: "defer.graphqls")
    try folder.write(#"{ "clientDirectives": ["priority"] }"#, to: "Schema/graphql-generator.json")
    try folder.write(
      "query Wrong @priority(level: 1) { book(id: 1) { id ... @defer { title } } }",
      to: "Schema/Wrong.graphql")
    let new = smallSchema.replacing("title: String!", with: "name: String!")
    #expect(try diff(new).output.contains("the older schema:\n  Wrong"))
    let run = try diff(new, "--definitions", definitions)
    #expect(!run.output.contains("invalid"), "\(run.output)")
    #expect(run.output.contains("\n  Wrong (\(folder.path("Schema/Wrong.graphql")):1)"))
    #expect(run.output.hasSuffix("2 broken operations\n"))
  }

  @Test func aFolderHasTheSchemaThatItsConfigurationNames() throws {
    try folder.write(
      "directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT",
      to: "Schema/defer.graphqls")
    let old = ToolRun("print", "--introspection", "--schema", folder.path("Schema/schema.graphql"))
    try folder.write(old.output, to: "Schema/schema.json")
    let run = ToolRun("diff", folder.path("Schema"), folder.path("Schema/schema.json"))
    #expect(run.output.hasPrefix("Breaking changes:\n  @defer: "))
    try folder.write(
      #"{ "schema": ["schema.json", "defer.graphqls"] }"#, to: "Schema/graphql-generator.json")
    try folder.write(
      "query Wrong { book(id: 1) { id ... @defer { title } } }", to: "Schema/Wrong.graphql")
    let both = ToolRun(
      "diff", folder.path("Schema"), folder.path("Schema"), "--documents", folder.path("Schema"))
    #expect(both.output == "0 breaking, 0 dangerous, 0 safe changes, 0 broken operations\n")
  }

  @Test func programsReadThemAsJSON() throws {
    let run = try diff(smallSchema.replacing("genres: [Genre!]!", with: ""), "--json")
    let report = try JSONDocument(parsing: run.output).root
    let operation = try #require(report["operations"]?.array?.first)
    #expect(report["operations"]?.array?.count == 1)
    #expect(operation["name"]?.string == "Genres")
    #expect(operation["line"]?.int == 1)
    let error = try #require(operation["errors"]?.array?.first)
    #expect(error["file"]?.string == folder.path("Schema/Genres.graphql"))
    #expect(error["column"]?.int == 16)
  }

  @Test func nothingIsListedIfNothingBreaks() throws {
    let run = try diff(smallSchema.replacing("genres:", with: "more: Int\n  genres:"))
    #expect(run.status == .success)
    #expect(
      run.output.contains("0 breaking, 0 dangerous, 1 safe changes, 0 broken operations, "))
  }

  @Test func syntaxErrorsInDocumentsAreReported() throws {
    let path = try folder.write("query {", to: "Schema/Shelf.graphql")
    let run = try diff(smallSchema)
    #expect(run.status == .problems)
    #expect(run.error.contains("\(path):1:8: error: "))
  }
}
