import Foundation
import TestSupport
import Testing

@testable import graphql_generator

/// The built tool as a process: exit statuses and streams.
@Suite("The process")
struct ProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let tool = BuiltTool("graphql-generator")

  private func run(_ arguments: [String]) throws -> BuiltTool.Run {
    try tool.run(arguments, in: URL(filePath: folder.path))
  }

  @Test func writesResultsToStandardOutput() throws {
    let result = try run(["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Usage: graphql-generator"))
    #expect(result.error.isEmpty)
  }

  @Test func usageErrorExitsWithStatusTwo() throws {
    let result = try run(["generate", "--chek"])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("Did you mean \"check\"?"))
  }

  @Test func problemsExitWithOneAndPrintToStandardError() throws {
    try folder.write("type Query { a: Nowhere }\n", to: "schema.graphqls")
    let result = try run(["generate", "--schema", "schema.graphqls"])
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("schema.graphqls:1:17: error: "))
    #expect(!folder.exists("Generated"))
  }

  @Test func generateRunsWithoutOptionsWithDefaultConfiguration() throws {
    try folder.write(smallSchema, to: "library.graphqls")
    try folder.write(
      #"{ "namespace": "Library", "schema": "library.graphqls" }"#, to: "graphql-generator.json")
    let first = try run(["generate"])
    #expect(first.status == 0)
    #expect(first.output == "8 written, 0 unchanged, 0 removed in Generated\n")
    #expect(first.error.isEmpty)
    #expect(folder.exists("Generated/Library.swift"))
    #expect(try run(["generate", "--check"]).status == 0)
    try folder.write("type Query { other: Int }", to: "library.graphqls")
    #expect(try run(["generate", "--check"]).status == 1)
  }

  @Test func readsSchemaFromPipe() throws {
    try folder.write(smallSchema, to: "schema.graphqls")
    let command =
      "cat schema.graphqls | '\(tool.url.path)' print --schema /dev/stdin > printed.graphqls"
    let shell = try ChildProcess(
      URL(filePath: "/bin/sh"), ["-c", command], in: URL(filePath: folder.path))
    #expect(shell.wait() == .exit(0))
    #expect(try folder.text("printed.graphqls").contains("type Book {"))
  }

  @Test func reportsFailedWriteToStandardOutput() throws {
    let full = URL(filePath: "/dev/full")
    guard FileManager.default.fileExists(atPath: full.path) else { return }
    try folder.write("", to: "error")
    let process = try ChildProcess(
      tool.url, ["--help"], output: .file(full), error: .file(folder.file("error")))
    #expect(process.wait() == .exit(1))
    #expect(
      try folder.text("error").contains(
        "standard output: It cannot be written: no space is left."))
  }
}

/// The tool that the plugins run.
@Suite("The tool of the plugins")
struct PluginToolTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ name: String, _ arguments: [String]) throws -> BuiltTool.Run {
    try BuiltTool(name).run(arguments, in: URL(filePath: folder.path))
  }

  @Test(arguments: [
    ["generate", "--help"], ["--version"], ["--plugin-version=0.0.1", "generate"],
    ["generate", "--chek"], ["generate", "--schema", "missing.graphqls"], [],
  ])
  func behavesLikeTheToolWithAllSubcommands(arguments: [String]) throws {
    let result = try run("graphql-generate", arguments)
    let expected = try run("graphql-generator", arguments)
    #expect(result.status == expected.status)
    #expect(result.output == expected.output)
    guard !arguments.isEmpty else {
      #expect(result.error.hasPrefix("error: A subcommand is required: generate."))
      return
    }
    #expect(result.error == expected.error)
  }

  @Test func generatesTheSameFiles() throws {
    try folder.write(smallSchema, to: "schema.graphqls")
    try folder.write("query Books { __typename }\n", to: "Books.graphql")
    let arguments = [
      "--plugin-version=\(GeneratorTool.version)", "generate", "--schema", "schema.graphqls",
      "--documents", "Books.graphql", "--manifest", "operations.json",
    ]
    #expect(try run("graphql-generate", arguments).status == 0)
    #expect(folder.exists("operations.json"))
    #expect(try run("graphql-generator", arguments + ["--check"]).status == 0)
  }

  @Test func hasNoOtherSubcommand() throws {
    let result = try run("graphql-generate", ["init"])
    #expect(result.status == 2)
    #expect(
      result.error.hasPrefix(
        "error: There is no subcommand \"init\". Available: generate."))
  }
}
