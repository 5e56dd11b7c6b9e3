import Foundation
import GraphQLCodeGen
import TestSupport
import Testing

@testable import graphql_generator

@Suite("generate writes the module, and only what changed")
struct GenerateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func theFirstRunWritesAllFiles() throws {
    let run = try folder.generate(smallSchema)
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output == "8 written, 0 unchanged, 0 removed in \(folder.path("Generated"))\n")
    #expect(run.error.isEmpty)
    #expect(folder.names(in: "Generated") == defaultFileNames)
    for name in defaultFileNames {
      #expect(try folder.text("Generated/\(name)").hasPrefix(GeneratedFile.header + "\n"))
    }
  }

  @Test func unchangedInputWritesNoFile() throws {
    _ = try folder.generate(smallSchema)
    let stamps = try defaultFileNames.map { try folder.stamp("Generated/\($0)") }
    let run = try folder.generate("# A comment.\n" + smallSchema)
    #expect(run.output.hasPrefix("0 written, 8 unchanged, 0 removed"))
    #expect(try defaultFileNames.map { try folder.stamp("Generated/\($0)") } == stamps)
  }

  @Test func onlyFilesThatChangeAreWritten() throws {
    _ = try folder.generate(smallSchema)
    let changing = "API.Enums.swift"
    let others = defaultFileNames.filter { $0 != changing && $0 != "API.swift" }
    let stamps = try others.map { try folder.stamp("Generated/\($0)") }
    let run = try folder.generate(smallSchema.replacing("NOVEL", with: "NOVEL COMIC"))
    #expect(run.status == .success)
    #expect(try folder.text("Generated/\(changing)").contains("comic"))
    #expect(try others.map { try folder.stamp("Generated/\($0)") } == stamps)
  }

  @Test func removesObsoleteGeneratedFiles() throws {
    _ = try folder.generate(smallSchema)
    try folder.write("// My own.\n", to: "Generated/Own.swift")
    try folder.write(GeneratedFile.header + "\n", to: "Generated/notes.txt")
    try folder.write(GeneratedFile.header + "\n", to: "Generated/Folder.swift/Inner.swift")
    let run = try folder.generate(smallSchema, "--namespace", "Library")
    #expect(run.output.hasPrefix("8 written, 0 unchanged, 8 removed"))
    let expected =
      defaultFileNames.map { $0.replacing("API", with: "Library") }
      + ["Folder.swift", "Own.swift", "notes.txt"]
    #expect(folder.names(in: "Generated") == expected.sorted())
    #expect(folder.names(in: "Generated/Folder.swift") == ["Inner.swift"])
  }

  @Test func aUsersFileIsNeverOverwritten() throws {
    try folder.write("// My own.\n", to: "Generated/API.swift")
    let run = try folder.generate(smallSchema)
    #expect(run.status == .problems)
    #expect(run.error.contains("Generated/API.swift: This file was not generated"))
    #expect(folder.names(in: "Generated") == ["API.swift"])
    #expect(try folder.text("Generated/API.swift") == "// My own.\n")
  }

  @Test func theCommandLineOverridesTheConfiguration() throws {
    try folder.write(
      #"{ "namespace": "Library", "layout": { "files": 1 }, "output": "Elsewhere" }"#,
      to: "graphql-generator.json")
    let run = try folder.generate(smallSchema, "--namespace", "Shelf")
    #expect(run.status == .success, "\(run.error)")
    #expect(
      folder.names(in: "Generated") == [
        "Shelf.Enums.swift", "Shelf.Inputs.swift", "Shelf.Interfaces.swift", "Shelf.Objects1.swift",
        "Shelf.swift",
      ])
    #expect(!folder.exists("Elsewhere"))
  }

  @Test func configuredPathsAreRelativeToConfigurationFile() throws {
    let config = try folder.write(
      #"{ "schema": ["schemas/a.graphqls", "schemas/b.graphqls"], "output": "Out/API" }"#,
      to: "settings/config.json")
    try folder.write("type Query { book: Book }", to: "settings/schemas/a.graphqls")
    try folder.write("type Book { title: String }", to: "settings/schemas/b.graphqls")
    let run = ToolRun("generate", "--config", config)
    #expect(run.status == .success, "\(run.error)")
    #expect(folder.names(in: "settings/Out/API") == defaultFileNames)
  }

  @Test func fileNamesOptionDeterminesLayout() throws {
    try folder.write(#"{ "layout": { "files": 3 } }"#, to: "graphql-generator.json")
    let names = ["Main.swift", "O1.swift", "O2.swift", "P.swift", "Q.swift", "R.swift"]
    let path = try folder.write(smallSchema, to: "schema.graphqls")
    let run = ToolRun(
      ["generate", "--schema", path, "--output", folder.path("Generated"), "--file-names"] + names)
    #expect(run.status == .success, "\(run.error)")
    #expect(folder.names(in: "Generated") == names)
    #expect(try folder.text("Generated/Main.swift").contains("public enum API"))
    #expect(try folder.text("Generated/Q.swift").contains("enum Genre"))
  }

  @Test(arguments: [
    ["a.swift"], ["a", "b", "c", "d", "d"], ["../a", "b", "c", "d", "e"],
    ["a", "b", "c", "d", ".."],
  ])
  func rejectsInvalidFileNames(names: [String]) throws {
    let path = try folder.write(smallSchema, to: "schema.graphqls")
    let run = ToolRun(
      ["generate", "--schema", path, "--output", folder.path("Generated"), "--file-names"] + names)
    #expect(run.status == .problems)
    #expect(run.error.contains("--file-names requires 5 or more different file names."))
    #expect(folder.names(in: "") == ["schema.graphqls"])
  }

  @Test func rejectsFilePerTypeWithFixedFileNames() throws {
    try folder.write(#"{ "layout": { "perType": true } }"#, to: "graphql-generator.json")
    let run = try folder.generate(smallSchema, "--file-names", "a", "b", "c", "d", "e")
    #expect(run.status == .problems)
    #expect(
      run.error.contains("graphql-generator.json:1:1: error: A file per type is not possible here"))
    #expect(try folder.generate(smallSchema).status == .success)
  }

  /// SwiftPM keeps the commands of a plugin when the configuration changes; without an error, the
  /// module would no longer follow the files that the configuration names.
  @Test(arguments: [
    (#"{}"#, #"schema: ["a.graphqls"], usage: []"#),
    (#"{ "schema": "schema.graphqls" }"#, #"schema: [], usage: []"#),
    (#"{ "schema": ["schema.graphqls"] }"#, #"schema: ["a.graphqls"], usage: []"#),
    (#"{ "pruning": { "usage": ["App"] } }"#, #"schema: [], usage: []"#),
    (#"{ "pruning": { "usage": ["App"] } }"#, #"schema: [], usage: ["App", "Other"]"#),
    (#"{ "pruning": "all" }"#, #"schema: [], usage: ["App"]"#),
  ])
  func rejectsOtherFilesThanPlanned(configuration: String, planned: String) throws {
    try folder.write(configuration, to: "graphql-generator.json")
    try folder.write("let a = 1", to: "App/a.swift")
    let run = try folder.generate(smallSchema, "--planned", planned)
    #expect(run.status == .problems)
    #expect(
      run.error.contains(
        "graphql-generator.json:1:1: error: This file names other schemas or usage folders than"),
      "\(run.error)")
    #expect(run.error.contains("touch Package.swift"))
    #expect(!folder.exists("Generated"))
  }

  @Test(arguments: [
    (#"{}"#, #"schema: [], usage: []"#),
    (#"{ "schema": "schema.graphqls" }"#, #"schema: ["schema.graphqls"], usage: []"#),
    (
      #"{ "schema": ["schema.graphqls"], "pruning": { "usage": ["App"] } }"#,
      #"schema: ["schema.graphqls"], usage: ["App"]"#
    ),
  ])
  func acceptsPlannedFiles(configuration: String, planned: String) throws {
    try folder.write(configuration, to: "graphql-generator.json")
    try folder.write("let a = 1", to: "App/a.swift")
    #expect(try folder.generate(smallSchema, "--planned", planned).status == .success)
  }

  @Test(arguments: ["generate", "stats"])
  func namesPlaceOfMissingUsageFolder(subcommand: String) throws {
    let config = try folder.write(
      """
      {
        "pruning": {
          "usage": ["App", "../Sources/Nope"]
        }
      }
      """, to: "settings/graphql-generator.json")
    try folder.write("let a = 1", to: "settings/App/a.swift")
    let schema = try folder.write(smallSchema, to: "settings/schema.graphqls")
    let run = ToolRun(subcommand, "--config", config, "--schema", schema)
    #expect(run.status == .problems)
    #expect(
      run.error.hasPrefix(#"\#(config):3:22: error: There is no folder "../Sources/Nope"."#),
      "\(run.error)")
    #expect(run.error.contains("= The path is relative to this file."))
  }

  @Test func quietPrintsNothing() throws {
    let run = try folder.generate(smallSchema, "--quiet")
    #expect(run.status == .success)
    #expect(run.output.isEmpty)
    #expect(run.error.isEmpty)
  }

  @Test func showsProgressOnlyForLongRunsOnTerminals() throws {
    let short = try folder.write(smallSchema, to: "short.graphqls")
    let long = try folder.write(
      smallSchema + String(repeating: "# padding\n", count: Progress.longWork / 10),
      to: "long.graphqls")
    func progress(_ schema: String, isWatched: Bool) -> String {
      let output = folder.path("Generated")
      return ToolRun(["generate", "--schema", schema, "--output", output], isWatched: isWatched)
        .error
    }
    #expect(progress(short, isWatched: true).isEmpty)
    #expect(progress(long, isWatched: false).isEmpty)
    let shown = progress(long, isWatched: true)
    #expect(shown.contains("Reading the schema…"))
    #expect(shown.hasSuffix("\r\u{1B}[K"))
  }
}
