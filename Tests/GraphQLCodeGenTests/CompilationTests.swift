import Foundation
import GraphQLCodeGen
import GraphQLSchema
import TestSupport
import Testing

/// Generated code compiles against the runtime, without a warning.
@Suite struct CompilationTests {
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL
  private static let modules = package.appending(path: ".build/debug/Modules")
  static let isBuilt = FileManager.default.fileExists(
    atPath: modules.appending(path: "GraphQLRuntime.swiftmodule").path)

  /// One schema has an example of everything. In the other one, the names are those with which
  /// generated code can collide.
  /// In names.graphql, many names differ in nothing but their case.
  static let schemas = [
    "Reference/schema.graphql", "Schemas/names.graphql", "Schemas/snakeCase.graphql",
    "Schemas/tolerated.graphql",
  ]

  @Test(
    .enabled(if: isBuilt, "the runtime has not been built for debugging in .build"),
    arguments: [
      Configuration(naming: .asWritten), Configuration(classes: .open, naming: .asWritten),
      Configuration(), Configuration(access: .package, acronyms: ["id", "url"]),
      Configuration(access: .internal, naming: .asWritten, layout: .perType),
      Configuration(namespace: "String", naming: .asWritten),
    ])
  func generatedCodeCompilesWithoutWarnings(configuration: Configuration) throws {
    for name in Self.schemas {
      if configuration.naming == .camelCase, name == "Schemas/names.graphql" { continue }
      let path = Self.package.appending(path: "Tests/GraphQLCodeGenTests").appending(path: name)
      let source = Source(name: name, bytes: Array(try Data(contentsOf: path)))
      let schema = try ServiceSchema(sources: [source])
      let output = try GeneratorPipeline(configuration: configuration).run(schema)
      #expect(try Self.complaints(about: output.files) == "")
    }
  }

  /// The compiler's output for files, with the settings of the package.
  static func complaints(about files: [GeneratedFile]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String] = []
    for file in files {
      let path = folder.appending(path: file.name)
      try file.contents.write(to: path, atomically: false, encoding: .utf8)
      paths.append(path.path)
    }
    let arguments =
      [
        "swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-warnings-as-errors",
        "-package-name", "p",
        "-enable-upcoming-feature", "ExistentialAny",
        "-enable-upcoming-feature", "MemberImportVisibility",
        "-module-name", "Generated", "-I", modules.path,
      ] + paths
    let (end, text) = try ChildProcess(
      URL(filePath: "/usr/bin/env"), arguments, output: .pipe, error: nil
    ).collect()
    return end == .exit(0) ? text : "failed: " + text
  }
}
