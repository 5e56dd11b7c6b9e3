import Foundation
import Testing

/// The built tool as a process: exit statuses and streams.
@Suite("The process")
struct ProcessTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the tool that was built beside the tests, in the test's folder.
  private func run(
    _ arguments: [String]
  ) throws -> (status: Int32, output: String, error: String) {
    let tool = Process()
    tool.executableURL = Self.products.appending(path: "graphql-generator")
    tool.arguments = arguments
    tool.currentDirectoryURL = URL(filePath: folder.path)
    // Files, not pipes: nobody has to empty them while the tool runs.
    let (output, error) = (folder.path("stdout"), folder.path("stderr"))
    for name in ["stdout", "stderr"] { try folder.write("", to: name) }
    tool.standardInput = FileHandle.nullDevice
    tool.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    tool.standardError = try FileHandle(forWritingTo: URL(filePath: error))
    try tool.run()
    tool.waitUntilExit()
    #expect(tool.terminationReason == .exit)
    return (tool.terminationStatus, try folder.text("stdout"), try folder.text("stderr"))
  }

  private static var products: URL {
    #if os(macOS)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return Bundle.main.bundleURL
  }

  @Test func resultsAreOnStandardOutput() throws {
    let result = try run(["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Usage: graphql-generator"))
    #expect(result.error.isEmpty)
  }

  @Test func aWrongCommandLineExitsWithTwo() throws {
    let result = try run(["generate", "--chek"])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("Did you mean \"check\"?"))
  }

  @Test func problemsExitWithOneAndAreOnStandardError() throws {
    try folder.write("type Query { a: Nowhere }\n", to: "schema.graphqls")
    let result = try run(["generate", "--schema", "schema.graphqls"])
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("schema.graphqls:1:17: error: "))
    #expect(!folder.exists("Generated"))
  }

  @Test func generateNeedsNoOptionsWhereTheUsualFilesAre() throws {
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

  @Test func aSchemaMayComeThroughAPipe() throws {
    try folder.write(smallSchema, to: "schema.graphqls")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    let tool = Self.products.appending(path: "graphql-generator").path
    shell.arguments = [
      "-c", "cat schema.graphqls | '\(tool)' print --schema /dev/stdin > printed.graphqls",
    ]
    shell.currentDirectoryURL = URL(filePath: folder.path)
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(try folder.text("printed.graphqls").contains("type Book {"))
  }

  @Test func fullStandardOutputIsAProblem() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let tool = Process()
    tool.executableURL = Self.products.appending(path: "graphql-generator")
    tool.arguments = ["--help"]
    tool.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    tool.standardError = FileHandle.nullDevice
    try tool.run()
    tool.waitUntilExit()
    #expect(tool.terminationStatus == 1)
  }
}
