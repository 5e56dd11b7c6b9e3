import Foundation
import GraphJSON
import TestSupport
import Testing

@testable import graphql_generator

@Suite("Manifests of trusted documents")
struct ManifestTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "schema.graphqls": smallSchema,
      "Documents/Shelf.graphql":
        "query Shelf { book(id: 1) { ...Card } }\nfragment Card on Book { id title }",
      "Documents/Genres.graphql": "query Genres { genres }",
    ])
  }

  private func generate(_ arguments: String...) -> ToolRun {
    folder.generate(["--documents", folder.path("Documents")] + arguments)
  }

  private func json(_ name: String) throws -> JSON {
    try JSONDocument(parsing: folder.text(name)).root.json
  }

  private func check(_ manifest: String, schema: String, _ arguments: String...) -> ToolRun {
    ToolRun(
      ["check", "--manifest", folder.path(manifest), "--schema", folder.path(schema)] + arguments)
  }

  @Test func writesApollosFormat() throws {
    #expect(generate("--manifest", folder.path("operations.json")).status == .success)
    let manifest = try json("operations.json")
    #expect(manifest["format"] == "apollo-persisted-query-manifest")
    #expect(manifest["version"] == 1)
    guard case .array(let operations)? = manifest["operations"] else {
      Issue.record("There is no list of operations.")
      return
    }
    #expect(operations.count == 2)
    #expect(operations[0]["name"] == "Genres")
    #expect(operations[0]["type"] == "query")
    #expect(operations[0]["body"] == "query Genres{genres}")
    // printf 'query Genres{genres}' | sha256sum
    #expect(
      operations[0]["id"] == "3f092e779b3cf576d7381cc8872806128c4d756fe5f0be4e29dc194e2d90d4a4")
    #expect(
      operations[1]["body"]
        == "query Shelf{book(id:1){...Card id}}fragment Card on Book{id title}"
        || operations[1]["body"]
          == "query Shelf{book(id:1){...Card}}fragment Card on Book{id title}"
    )
  }

  @Test func writesRelaysMap() throws {
    let run = generate(
      "--manifest", folder.path("operations.json"), "--manifest-format", "relay")
    #expect(run.status == .success)
    guard case .object(let map) = try json("operations.json") else {
      Issue.record("The manifest is not an object.")
      return
    }
    #expect(map.count == 2)
    #expect(
      map["3f092e779b3cf576d7381cc8872806128c4d756fe5f0be4e29dc194e2d90d4a4"]
        == "query Genres{genres}")
  }

  @Test func theConfigurationRequestsAManifestNextToTheFiles() throws {
    try folder.write(#"{ "operations": { "manifest": "relay" } }"#, to: "graphql-generator.json")
    #expect(generate().status == .success)
    let stamp = try folder.stamp("Generated/operations.json")
    #expect(generate().status == .success)
    #expect(try folder.stamp("Generated/operations.json") == stamp)
    #expect(generate("--check").status == .success)
    try folder.write("{}", to: "Generated/operations.json")
    let run = generate("--check")
    #expect(run.status == .problems)
    #expect(run.output.contains("differs: \(folder.path("Generated/operations.json"))"))
    try FileManager.default.removeItem(atPath: folder.path("Generated/operations.json"))
    #expect(
      generate("--check").output.contains("missing: \(folder.path("Generated/operations.json"))"))
  }

  @Test func aManifestThatTheConfigurationNoLongerRequestsIsRemoved() throws {
    try folder.write(#"{ "operations": { "manifest": "apollo" } }"#, to: "graphql-generator.json")
    #expect(generate().status == .success)
    try folder.write("{}", to: "graphql-generator.json")
    let check = generate("--check")
    #expect(check.status == .problems)
    #expect(check.output.contains("stale: \(folder.path("Generated/operations.json"))"))
    // The other run may be for the schema alone.
    #expect(folder.generate([]).status == .success)
    #expect(folder.exists("Generated/operations.json"))
    #expect(generate().status == .success)
    #expect(!folder.exists("Generated/operations.json"))
  }

  /// A path may be a mistake.
  @Test(arguments: [
    "schema.graphqls", "Documents/Shelf.graphql", "graphql-generator.json", "Generated/API.swift",
    "notes.txt",
  ])
  func nothingElseThanAManifestIsReplaced(name: String) throws {
    try folder.write(#"{ "namespace": "API" }"#, to: "graphql-generator.json")
    try folder.write("Remember.", to: "notes.txt")
    let before = try? folder.text(name)
    let run = generate("--manifest", folder.path(name))
    #expect(run.status == .problems)
    #expect(
      run.error.contains(
        "\(folder.path(name)): This file is not a manifest of operations and would be replaced."))
    #expect((try? folder.text(name)) == before)
    #expect(!folder.exists("Generated/API.Objects1.swift"))
    let manifest = try folder.write("", to: "operations.json")
    #expect(generate("--manifest", manifest).status == .success)
    #expect(generate("--manifest", manifest, "--manifest-format", "relay").status == .success)
    #expect(generate("--manifest", manifest).status == .success)
    #expect(try folder.text("operations.json").contains("apollo-persisted-query-manifest"))
  }

  @Test func aManifestNeedsDocuments() throws {
    let run = folder.generate(["--manifest", folder.path("operations.json")])
    #expect(run.status == .problems)
    #expect(run.error.contains("There are no documents for the manifest"))
    #expect(!folder.exists("operations.json"))
  }

  @Test func noManifestIsWrittenIfADocumentHasErrors() throws {
    try folder.write("query Broken { nothing }", to: "Documents/Broken.graphql")
    #expect(generate("--manifest", folder.path("operations.json")).status == .problems)
    #expect(!folder.exists("operations.json"))
  }

  @Test(arguments: ["apollo", "relay"])
  func operationsAreCheckedAgainstAnotherSchema(format: String) throws {
    #expect(
      generate("--manifest", folder.path("operations.json"), "--manifest-format", format).status
        == .success)
    let same = check("operations.json", schema: "schema.graphqls")
    #expect(same.status == .success)
    #expect(same.output == "2 operations, 0 errors, 0 warnings\n")

    try folder.write(
      smallSchema.replacing("title: String!", with: "name: String!")
        .replacing("genres: [Genre!]!", with: #"genres: [Genre!]! @deprecated(reason: "Old.")"#),
      to: "new.graphqls")
    let changed = check("operations.json", schema: "new.graphqls")
    #expect(changed.status == .problems)
    #expect(changed.output == "2 operations, 1 error, 1 warning\n")
    let line = format == "apollo" ? 13 : 3
    #expect(changed.error.contains("\(folder.path("operations.json")):\(line):"))
    #expect(changed.error.contains("error: "))
    #expect(changed.error.contains("\"title\""))
    #expect(changed.error.contains("is deprecated: Old."))
  }

  @Test(arguments: [
    ("[]", ":1:1: error: This is neither a manifest of Apollo nor a map of Relay"),
    ("{", ":1:2: error: "), (#"{ "a": 1 }"#, "error: This is neither a manifest"),
    (
      #"{ "format": "apollo-persisted-query-manifest", "version": 1, "operations": [{ "id": "1" }] }"#,
      "error: An operation needs an id and a body."
    ),
    (
      #"{ "format": "apollo-persisted-query-manifest", "version": 2, "operations": [] }"#,
      ":1:59: error: The version of the manifest has to be 1."
    ),
    (
      #"{ "format": "apollo-persisted-query-manifest", "operations": [] }"#,
      ":1:1: error: The version of the manifest has to be 1."
    ),
    (
      #"{ "format": "apollo-persisted-query-manifest", "version": 1 }"#,
      ":1:1: error: The manifest has no list of operations."
    ),
    (
      #"{ "format": "other", "version": 1, "operations": [] }"#,
      #":1:13: error: The format of a manifest is "apollo-persisted-query-manifest", or it is a map"#
    ),
    (#"{ "a": "query {" }"#, ":1:8: error: a: "),
    (
      #"{ "a": "query A { a }", "a": "query A { a }" }"#,
      #":1:25: error: The manifest has "a" twice."#
    ),
    (
      #"{ "format": "apollo-persisted-query-manifest", "version": 1, "#
        + #""operations": [{ "id": "1", "body": "{ a }" }, { "id": "1", "body": "{ b }" }] }"#,
      #":1:130: error: The manifest has another text for the id "1"."#
    ),
    (
      #"{ "format": "apollo-persisted-query-manifest", "version": 1, "#
        + #""operations": [{ "id": "1", "name": "B", "body": "query A{genres}" }] }"#,
      #":1:111: error: B: The text has no operation of that name."#
    ),
    (
      #"{ "format": "apollo-persisted-query-manifest", "version": 1, "#
        + #""operations": [{ "id": "1", "name": "A", "type": "mutation", "body": "query A{genres}" }] }"#,
      #":1:131: error: A: The operation is a query, but its type in the manifest is "mutation"."#
    ),
  ])
  func otherFilesAreRefused(text: String, message: String) throws {
    try folder.write(text, to: "operations.json")
    let run = check("operations.json", schema: "schema.graphqls")
    #expect(run.status == .problems)
    #expect(run.error.contains(message), "\(run.error)")
  }
}
