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
      Configuration(access: .package, naming: .asWritten, layout: .perType),
      Configuration(naming: .asWritten, layout: .perType),
      Configuration(namespace: "String", naming: .asWritten),
    ])
  func generatedCodeCompilesWithoutWarnings(configuration: Configuration) async throws {
    for name in Self.schemas {
      if configuration.naming == .camelCase, name == "Schemas/names.graphql" { continue }
      let path = Self.package.appending(path: "Tests/GraphQLCodeGenTests").appending(path: name)
      let source = Source(name: name, bytes: Array(try Data(contentsOf: path)))
      let schema = try ServiceSchema(sources: [source])
      let output = try GeneratorPipeline(configuration: configuration).run(schema)
      #expect(try await Self.complaints(about: output.files) == "")
    }
  }

  /// New apps of Xcode isolate everything to the main actor; older ones use Swift 5.
  @Test(
    .enabled(if: isBuilt, "the runtime has not been built for debugging in .build"),
    arguments: [
      ["-swift-version", "6", "-default-isolation", "MainActor"],
      ["-swift-version", "6", "-default-isolation", "MainActor"] + enabling(approachable),
      ["-swift-version", "5", "-default-isolation", "MainActor"] + enabling(approachable + partOf6),
      ["-swift-version", "5"],
      ["-swift-version", "5", "-strict-concurrency=complete"],
      ["-swift-version", "6"] + enabling(["InternalImportsByDefault"]),
    ])
  func generatedCodeCompilesInEveryTarget(language: [String]) async throws {
    let name = Self.schemas[0]
    let path = Self.package.appending(path: "Tests/GraphQLCodeGenTests").appending(path: name)
    let source = Source(name: name, bytes: Array(try Data(contentsOf: path)))
    let schema = try ServiceSchema(sources: [source])
    for configuration in [
      Configuration(), Configuration(classes: .open), Configuration(access: .package),
    ] {
      let output = try GeneratorPipeline(configuration: configuration).run(schema)
      #expect(
        try await Self.complaints(about: output.files, and: Self.user, language: language) == "")
    }
  }

  /// Would not compile if the module were isolated to the main actor.
  private static let user = """
    import GraphQLRuntime
    nonisolated func use() -> String {
      API.schema.name + String(describing: API.buildQuery { _ in })
    }
    """

  /// The features of Xcode's setting “Approachable Concurrency”, and those of them that Swift 6 includes.
  private static let approachable = ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
  private static let partOf6 = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
    "InferSendableFromCaptures",
  ]

  private static func enabling(_ features: [String]) -> [String] {
    features.flatMap { ["-enable-upcoming-feature", $0] }
  }

  /// One compiler runs at a time, and not on the threads on which other tests run: those with real
  /// deadlines would not get one in time.
  private static let queue = DispatchQueue(label: "compilers")

  /// The compiler's output for files, with the settings of the package.
  static func complaints(
    about files: [GeneratedFile], and user: String = "",
    language: [String] = ["-swift-version", "6"] + enabling(["InternalImportsByDefault"])
  ) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try compile(files, user, language) })
      }
    }
  }

  private static func compile(
    _ files: [GeneratedFile], _ user: String, _ language: [String]
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String] = []
    for file in files {
      let path = folder.appending(path: file.name)
      try file.contents.write(to: path, atomically: false, encoding: .utf8)
      paths.append(path.path)
    }
    let path = folder.appending(path: "User.swift")
    try user.write(to: path, atomically: false, encoding: .utf8)
    paths.append(path.path)
    let arguments =
      [
        "swiftc", "-typecheck", "-wmo", "-warnings-as-errors",
        "-package-name", "p",
        "-enable-upcoming-feature", "ExistentialAny",
        "-enable-upcoming-feature", "MemberImportVisibility",
        "-module-name", "Generated", "-I", modules.path,
        // The module map of the C module that GraphQLRuntime imports.
        "-I", modules.deletingLastPathComponent().appending(path: "CTreeswiftAtomics.build").path,
      ] + language + paths
    let (end, text) = try ChildProcess(
      URL(filePath: "/usr/bin/env"), arguments, output: .pipe, error: nil
    ).collect()
    return end == .exit(0) ? text : "failed: " + text
  }
}
