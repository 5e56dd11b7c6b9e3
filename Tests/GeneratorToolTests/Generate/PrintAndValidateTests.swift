import GraphQLSchema
import TestSupport
import Testing

@testable import graphql_generator

@Suite("print and validate")
struct PrintAndValidateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [RepositorySchemas.sdl, RepositorySchemas.introspection])
  func validatePrintsTypeCountOfValidSchema(schema: String) {
    let run = ToolRun("validate", "--schema", schema)
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output.hasSuffix(" types, 0 errors\n"))
    #expect(run.error.isEmpty)
  }

  @Test func printConvertsBetweenSDLAndIntrospection() throws {
    let introspection = folder.path("schema.json")
    #expect(
      ToolRun(
        "print", "--schema", RepositorySchemas.sdl, "--introspection", "--output", introspection
      ).status == .success)
    #expect(try folder.text("schema.json").hasPrefix("{\n  \"data\": {\n    \"__schema\": {\n"))
    let fromSDL = ToolRun("print", "--schema", RepositorySchemas.sdl)
    let fromIntrospection = ToolRun("print", "--schema", introspection, "--sdl")
    #expect(fromSDL.status == .success)
    #expect(fromIntrospection.output == fromSDL.output)
    #expect(fromSDL.output.hasSuffix("}\n") && !fromSDL.output.hasSuffix("\n\n"))
  }

  @Test func combinesSeveralFilesIntoOneSchema() throws {
    let first = try folder.write("type Query { book: Book }", to: "a.graphqls")
    let second = try folder.write("type Book { title: String }", to: "b.graphqls")
    let third = try folder.write("extend type Book { id: ID! }", to: "c.graphqls")
    let run = ToolRun("print", "--schema", first, second, third)
    #expect(run.status == .success)
    #expect(
      run.output == "type Query {\n  book: Book\n}\n\ntype Book {\n  title: String\n  id: ID!\n}\n")
    #expect(ToolRun("validate", "--schema", first, second, third).output == "2 types, 0 errors\n")
  }

  @Test func reportsEveryErrorWithItsLocation() throws {
    let schema = try folder.write(
      "type Query {\n  book: Bok\n  shelf: Shelf\n}\ntype Book { id: ID! }\n",
      to: "schema.graphqls")
    let run = ToolRun("validate", "--schema", schema)
    #expect(run.status == .problems)
    #expect(run.output == "2 errors\n")
    #expect(run.error.contains("\(schema):2:9: error: "))
    #expect(run.error.contains("   book: Bok\n"))
    #expect(run.error.contains("^~~"))
    #expect(run.error.contains(#"Did you mean "Book"?"#))
    #expect(run.error.contains("\(schema):3:10: error: "))
  }

  @Test func validateListsWarnings() throws {
    let schema = try folder.write(
      "type Query {\n  book(first: Int = \"1\"): Int\n}\n", to: "schema.graphqls")
    let run = ToolRun("validate", "--schema", schema)
    #expect(run.status == .success)
    #expect(run.output == "1 type, 0 errors, 1 warning\n")
    #expect(run.error.contains("\(schema):2:21: warning: The default value of"))
    let strict = ToolRun("validate", "--schema", schema, "--strict")
    #expect(strict.status == .problems && strict.output == "1 error\n")
    #expect(strict.error.contains("\(schema):2:21: error: The default value of"))
  }

  @Test func extensionsDefineTypesIfAllowed() throws {
    let schema = try folder.write(
      """
      extend schema @link(url: "https://specs.example.com/federation/v2.9", import: ["@key"])
      extend type Query { product(id: ID!): Product }
      extend type Product @key(fields: "id") { id: ID! @external }
      extend type Product { stock: Int }
      """, to: "schema.graphqls")
    #expect(ToolRun("validate", "--schema", schema).status == .problems)
    let run = ToolRun("validate", "--schema", schema, "--allow-undefined")
    #expect(run.status == .success && run.output.hasPrefix("2 types, 0 errors, "))
    #expect(run.error.contains("warning: The type \"Product\" is not defined"))
    let printed = ToolRun("print", "--schema", schema, "--allow-undefined").output
    #expect(printed.contains("  id: ID! @external\n  stock: Int\n"))
    let arguments = [
      "generate", "--schema", schema, "--output", folder.path("Generated"), "--quiet",
    ]
    #expect(ToolRun(arguments).status == .problems)
    #expect(ToolRun(arguments + ["--allow-undefined"]).status == .success)
    _ = try folder.write(#"{ "allowUndefinedTypes": true }"#, to: "graphql-generator.json")
    #expect(ToolRun(arguments).status == .success)
  }

  @Test func generateOnlyCountsWarningsOfSchema() throws {
    let schema = try folder.write(
      "type Query {\n  book(first: Int = \"1\"): Int\n}\n", to: "schema.graphqls")
    let arguments = ["generate", "--schema", schema, "--output", folder.path("Generated")]
    let run = ToolRun(arguments)
    #expect(run.status == .success)
    #expect(run.error.contains("note: The schema violates the specification in one place"))
    #expect(!run.error.contains("warning"))
    #expect(ToolRun(arguments + ["--quiet"]).error.isEmpty)
    #expect(ToolRun(arguments + ["--strict"]).status == .problems)
    _ = try folder.write(
      "type Query { book(first: Int = \"1\"): Int a: Missing }", to: "schema.graphqls")
    let failure = ToolRun(arguments)
    #expect(failure.status == .problems && failure.error.contains("Missing"))
    #expect(!failure.error.contains("default value"))
  }

  @Test func printRejectsFolderAsOutput() {
    let run = ToolRun("print", "--schema", RepositorySchemas.sdl, "--output", folder.path)
    #expect(run.status == .problems)
    #expect(run.error.contains("This is a folder where a file is needed."))
  }
}
