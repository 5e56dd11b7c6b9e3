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
    #expect(run.output.hasSuffix("1 breaking, 0 dangerous, 1 safe changes, 1 broken operation\n"))
    #expect(!run.output.contains("Wrong"))
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
    #expect(run.output.hasSuffix("0 breaking, 0 dangerous, 1 safe changes, 0 broken operations\n"))
  }

  @Test func syntaxErrorsInDocumentsAreReported() throws {
    let path = try folder.write("query {", to: "Schema/Shelf.graphql")
    let run = try diff(smallSchema)
    #expect(run.status == .problems)
    #expect(run.error.contains("\(path):1:8: error: "))
  }
}
