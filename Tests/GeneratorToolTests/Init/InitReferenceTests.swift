import Foundation
import TestSupport
import Testing

@testable import graphql_generator

/// The files that `init` writes for small schemas, to be read.
///
/// With `RECORD=1` in the environment the files are written instead of compared.
@Suite("init writes the reference")
struct InitReferenceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Reference")
  private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"
  private static let endpoint = ["--endpoint", "https://shop.test/graphql"]
  private static let dependency = ["--package-url", "https://git.test/Treeswift.git"]

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func expect(_ text: String, in name: String) throws {
    let path = Self.folder.appending(path: name)
    if Self.isRecording { try text.write(to: path, atomically: true, encoding: .utf8) }
    #expect(
      try String(contentsOf: path, encoding: .utf8) == text,
      "\(name) differs; if that is intended, run once with RECORD=1")
  }

  /// Runs the subcommand with a schema of the reference; the package is in the folder `shop`.
  private func run(_ schema: String, _ options: [String] = endpoint) -> ToolRun {
    let path = Self.folder.appending(path: "\(schema).graphqls").path
    return ToolRun(
      ["init", "--schema", path, "--output", folder.path("shop")] + Self.dependency + options)
  }

  static let schemas = [
    "Object", "Optional", "Connection", "Edges", "List", "NestedLists", "Interface", "Union",
    "Leaf",
    "Nothing", "Names",
  ]

  @Test(arguments: schemas)
  func programEqualsReference(schema: String) throws {
    let run = run(schema)
    #expect(run.status == .success, "\(run.error)")
    try expect(folder.text("shop/Sources/Shop/main.swift"), in: "\(schema).swift")
  }

  @Test func packageFilesEqualReference() throws {
    #expect(run("Object").status == .success)
    try expect(folder.text("shop/Package.swift"), in: "Package.swift")
    try expect(folder.text("shop/Sources/ShopAPI/ShopAPI.swift"), in: "ShopAPI.swift")
    try expect(
      folder.text("shop/Sources/ShopAPI/graphql-generator.json"), in: "graphql-generator.json")
  }

  @Test func aProgramReadsSecretsFromItsEnvironment() throws {
    let run = run(
      "Object",
      [
        "--endpoint", "https://shop.test/graphql?key=s3cr3t",
        "--header", "Authorization: Bearer s3cr3t", "--header", "X-Key: s3cr3t",
        "--header", "x_key: s3cr3t",
      ])
    #expect(run.status == .success, "\(run.error)")
    try expect(folder.text("shop/Sources/Shop/main.swift"), in: "Headers.swift")
    #expect(!run.output.contains("s3cr3t"))
    let command = """
        GRAPHQL_ENDPOINT=… GRAPHQL_AUTHORIZATION='Bearer …' GRAPHQL_X_KEY=… GRAPHQL_X_KEY_=… swift run \
      --package-path \(folder.path("shop")) Shop
      """
    #expect(run.output.contains("\n\(command)\n"), "\(run.output)")
  }

  @Test func programWithoutEndpointEqualsReference() throws {
    #expect(run("Object", []).status == .success)
    try expect(folder.text("shop/Sources/Shop/main.swift"), in: "NoEndpoint.swift")
  }

  @Test func existingPackageReceivesTargetAndInstructions() throws {
    try folder.write("// a package\n", to: "shop/Package.swift")
    let run = run("Object", Self.endpoint + ["--header", "Authorization: Bearer s3cr3t"])
    #expect(run.status == .success, "\(run.error)")
    try expect(
      run.output.replacing(folder.path("shop"), with: "FOLDER"), in: "ExistingPackage.txt")
    #expect(try folder.text("shop/Package.swift") == "// a package\n")
    #expect(folder.names(in: "shop") == ["Package.swift", "Sources"])
    #expect(folder.names(in: "shop/Sources") == ["ShopAPI"])
  }

  @Test(.enabled(if: !isRecording, "files are written at the same time"))
  func everyReferenceFileIsUsed() throws {
    let programs = Self.schemas.flatMap { ["\($0).graphqls", "\($0).swift"] }
    let others = [
      "Package.swift", "ShopAPI.swift", "graphql-generator.json", "Headers.swift",
      "NoEndpoint.swift", "ExistingPackage.txt",
    ]
    let stored = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(stored) == Set(programs + others))
  }
}
