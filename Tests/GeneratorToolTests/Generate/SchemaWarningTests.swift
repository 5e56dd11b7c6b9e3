import TestSupport
import Testing

@testable import graphql_generator

@Suite("Warnings about schemas, and the rules that cause them")
struct SchemaWarningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let subgraph = """
    extend type Query { product: Product }
    extend type Product { id: ID! }
    """

  @Test func manyWarningsAreCounted() throws {
    let fields = (0..<1_500).map { "f\($0): Int @x" }.joined(separator: "\n")
    let schema = try folder.write("type Query {\n\(fields)\n}\n", to: "schema.graphqls")
    let run = ToolRun("validate", "--schema", schema)
    #expect(run.output == "1 type, 0 errors, 1500 warnings\n")
    #expect(run.error.hasSuffix("note: 500 more are not shown.\n"))
    let strict = ToolRun("validate", "--schema", schema, "--strict")
    #expect(strict.output == "1500 errors\n")
    let generated = ToolRun("generate", "--schema", schema, "--output", folder.path("Generated"))
    #expect(
      generated.error.contains("note: The schema violates the specification in 1500 places"))
    #expect(!generated.error.contains("not shown"))
  }

  @Test func generateListsWhatIsLeftOut() throws {
    let int = #"{"kind":"SCALAR","name":"Int"}"#
    let schema = try folder.write(
      #"{"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","#
        + #""fields":[{"name":"ok","type":\#(int)},{"name":"a","type":\#(int),"args":[{"name":"#
        + #""need","type":{"kind":"NON_NULL","ofType":{"kind":"TUPLE","name":"T"}}}]}]},"#
        + #"{"kind":"TUPLE","name":"T"}]}}"#, to: "schema.json")
    let arguments = ["generate", "--schema", schema, "--output", folder.path("Generated")]
    for options in [[], ["--quiet"]] {
      let run = ToolRun(arguments + options)
      #expect(run.status == .success)
      #expect(
        run.error.contains(
          #"warning: "Query.a" cannot be used, because its required argument "need" cannot."#))
      #expect(!run.error.contains("violates the specification"))
    }
    #expect(try !folder.text("Generated/API.Objects1.swift").contains("func a("))
  }

  @Test func allowedTypesAreNotCounted() throws {
    let schema = try folder.write(subgraph, to: "schema.graphqls")
    let arguments = [
      "generate", "--schema", schema, "--output", folder.path("Generated"), "--allow-undefined",
    ]
    #expect(ToolRun(arguments).status == .success)
    #expect(ToolRun(arguments).error.isEmpty)
    _ = try folder.write(subgraph + " extend type Query { a: Int @x }", to: "schema.graphqls")
    #expect(ToolRun(arguments).error.contains("violates the specification in one place"))
  }

  @Test(arguments: ["validate", "print", "stats", "generate"])
  func configurationAllowsUndefinedTypes(subcommand: String) throws {
    let schema = try folder.write(subgraph, to: "schema.graphqls")
    let arguments = [subcommand, "--schema", schema]
    let output = subcommand == "generate" ? ["--output", folder.path("Generated")] : []
    #expect(ToolRun(arguments + output).status == .problems)
    let other = try folder.write(#"{ "allowUndefinedTypes": true }"#, to: "other.json")
    #expect(ToolRun(arguments + output + ["--config", other]).status == .success)
    _ = try folder.write(#"{ "allowUndefinedTypes": true }"#, to: "graphql-generator.json")
    let run = ToolRun(arguments + output)
    #expect(run.status == .success, "\(run.error)")
  }

  @Test func diffAllowsUndefinedTypes() throws {
    let old = try folder.write(subgraph, to: "old.graphqls")
    let new = try folder.write(subgraph + " extend type Product { a: Int }", to: "a/new.graphqls")
    #expect(ToolRun("diff", old, new).status == .problems)
    let expected = "0 breaking, 0 dangerous, 1 safe changes\n"
    #expect(ToolRun("diff", old, new, "--allow-undefined").output.hasSuffix(expected))
    _ = try folder.write(#"{ "allowUndefinedTypes": true }"#, to: "a/graphql-generator.json")
    #expect(ToolRun("diff", old, new).output.hasSuffix(expected))
    #expect(ToolRun("diff", new, old).status == .problems)
  }
}
