import Foundation
import GraphQLCodeGen
import GraphQLSchema
import TestSupport
import Testing

/// Generated code compiles against the runtime, without a warning.
@Suite struct CompilationTests {
  static let package = GeneratedCodeCheck.package
  static let isBuilt = GeneratedCodeCheck.isPossible

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
    GeneratedCodeCheck.enabling(features)
  }

  /// The compiler's output for files, with the settings of the package.
  static func complaints(
    about files: [GeneratedFile], and user: String = "",
    language: [String] = GeneratedCodeCheck.defaultLanguage
  ) async throws -> String {
    try await GeneratedCodeCheck.complaints(
      about: files.map { ($0.name, $0.contents) } + [("User.swift", user)], language: language)
  }
}
