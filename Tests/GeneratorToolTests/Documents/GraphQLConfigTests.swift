import TestSupport
import Testing

@testable import graphql_generator

@Suite("graphql-config")
struct GraphQLConfigTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func pathsAreRelativeToTheFile() throws {
    let schema = try folder.write(smallSchema, to: "Sources/API/schema.graphql")
    try folder.write(
      #"{ "operations": { "documents": ["../Shared"] } }"#,
      to: "Sources/API/graphql-generator.json")
    try folder.write("query Genres { genres }", to: "Sources/Shared/Genres.graphql")
    let output = folder.path("graphql.config.yml")
    let run = ToolRun("graphql-config", "--schema", schema, "--output", output)
    #expect(run.status == .success)
    #expect(run.output == "\(output) written\n")
    #expect(
      try folder.text("graphql.config.yml") == """
        # Written by graphql-generator graphql-config.
        schema:
          - "Sources/API/schema.graphql"
        documents:
          - "Sources/Shared/**/*.graphql"
          - "Sources/API/**/*.graphql"
          - "!Sources/API/schema.graphql"

        """)
    #expect(ToolRun("graphql-config", "--schema", schema, "--output", output).status == .success)
  }

  /// Quotation marks and backslashes are escaped for YAML, and special characters for the pattern.
  @Test func namesOfFoldersAreEscaped() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    try folder.write("query Genres { genres }", to: #"q"x\y[1]/Genres.graphql"#)
    let output = folder.path("graphql.config.yml")
    let run = ToolRun(
      "graphql-config", "--schema", schema, "--documents", folder.path(#"q"x\y[1]"#), "--output",
      output)
    #expect(run.status == .success)
    #expect(
      try folder.text("graphql.config.yml").contains(
        ##"  - "q\"x\\\\y\\[1\\]/**/*.graphql""##))
  }

  @Test func documentsMayBeNamed() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let file = try folder.write("query Genres { genres }", to: "Genres.graphql")
    let run = ToolRun(
      "graphql-config", "--schema", schema, "--documents", file, folder.path, "--output",
      folder.path("graphql.config.yml"))
    #expect(run.status == .success)
    let text = try folder.text("graphql.config.yml")
    #expect(text.hasSuffix("documents:\n  - \"Genres.graphql\"\n  - \"**/*.graphql\"\n"))
  }

  @Test func aFileOfTheUserIsNotReplaced() throws {
    let schema = try folder.write(smallSchema, to: "schema.graphqls")
    let output = try folder.write("schema: mine\n", to: "graphql.config.yml")
    let run = ToolRun("graphql-config", "--schema", schema, "--output", output)
    #expect(run.status == .problems)
    #expect(run.error.contains("This file was not written by this tool and would be replaced."))
    #expect(try folder.text("graphql.config.yml") == "schema: mine\n")
  }

  @Test func aMissingSchemaIsReported() {
    let run = ToolRun("graphql-config", "--schema", folder.path("schema.graphqls"))
    #expect(run.status == .problems)
    #expect(run.error.contains("There is no such file."))
  }
}
