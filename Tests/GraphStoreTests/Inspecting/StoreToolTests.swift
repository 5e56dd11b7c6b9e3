import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// The built `treeswift-store` as a process: what it prints, and its exit statuses.
@Suite struct StoreToolTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Run {
    let status: Int32
    let output: String
    let error: String
  }

  private func run(_ arguments: String...) throws -> Run {
    let tool = Process()
    tool.executableURL = Self.products.appending(path: "treeswift-store")
    tool.arguments = arguments
    tool.currentDirectoryURL = folder.url
    // Files, not pipes: nobody has to empty them while the tool runs.
    let (output, error) = (folder.file("stdout"), folder.file("stderr"))
    for file in [output, error] { try Data().write(to: file) }
    tool.standardInput = FileHandle.nullDevice
    tool.standardOutput = try FileHandle(forWritingTo: output)
    tool.standardError = try FileHandle(forWritingTo: error)
    try tool.run()
    tool.waitUntilExit()
    #expect(tool.terminationReason == .exit)
    return Run(
      status: tool.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      error: try String(contentsOf: error, encoding: .utf8))
  }

  private static var products: URL {
    #if os(macOS)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return Bundle.main.bundleURL
  }

  private func filledStore() async throws -> Store {
    let store = try Store(schema: Sample.schema, file: folder.file())
    try await store.write(
      json: Array(#"[{"id":"1","name":"Ann","club":{"id":"c"}},{"id":"2"}]"#.utf8),
      as: Sample.Person.self)
    return store
  }

  @Test func countsSizeAndIntegrity() async throws {
    let store = try await filledStore()
    let result = try run("test.store")
    #expect(result.status == 0 && result.error.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.prefix(2) == ["Club   1", "Person 2"])
    #expect(lines[2].wholeMatch(of: /[1-9][0-9]* bytes, [0-9]+ bytes in the log/) != nil)
    #expect(lines.last == "integrity: ok")
    withExtendedLifetime(store) {}
  }

  @Test func oneObject() async throws {
    let store = try await filledStore()
    let result = try run("test.store", "Person:1")
    #expect(result.status == 0 && result.error.isEmpty)
    #expect(
      try JSON(parsing: Array(result.output.utf8))
        == ["__typename": "Person", "id": "1", "name": "Ann", "club": ["&": "Club:c"]])
    let absent = try run("test.store", "Person:9")
    #expect(absent.status == 1 && absent.output.isEmpty)
    #expect(absent.error == "treeswift-store: there is no Person:9\n")
    withExtendedLifetime(store) {}
  }

  @Test func exportToJSON() async throws {
    let store = try await filledStore()
    let result = try run("test.store", "--export")
    #expect(result.status == 0 && result.error.isEmpty)
    let json = try JSON(parsing: Array(result.output.utf8))
    #expect(json["Person"]?["1"]?["name"] == "Ann")
    #expect(json["Person"]?["2"]?["id"] == "2")
    #expect(json["Club"]?["c"]?["id"] == "c")
    withExtendedLifetime(store) {}
  }

  @Test func damageIsReported() async throws {
    let store = try await filledStore()
    try Connection(path: folder.file().path, mode: .writer).execute(
      "UPDATE entity SET record = replace(record, 'Ann', 'Bea') WHERE key = '1'")
    let result = try run("test.store")
    #expect(result.status == 1)
    #expect(result.output.contains("integrity: damaged\n  the record in row "))
    #expect(try run("test.store", "Person:1").status == 1)
    withExtendedLifetime(store) {}
  }

  @Test func aMissingFileIsAnErrorAndIsNotMade() throws {
    let result = try run("none.store")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.hasPrefix("treeswift-store: none.store: "))
    #expect(!FileManager.default.fileExists(atPath: folder.file("none.store").path))
  }

  @Test func aFileThatIsNoStoreIsAnError() throws {
    try Data("text".utf8).write(to: folder.file("text"))
    let result = try run("text")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.hasPrefix("treeswift-store: text: "))
    #expect(try Data(contentsOf: folder.file("text")) == Data("text".utf8))
  }

  @Test func theCommandLine() throws {
    let help = try run("--help")
    #expect(help.status == 0 && help.output.contains("Usage: treeswift-store FILE"))
    for wrong in [try run(), try run("--export"), try run("a", "b"), try run("a", "b", "c")] {
      #expect(wrong.status == 2 || wrong.error.contains("there is no such file"))
      #expect(wrong.output.isEmpty && !wrong.error.isEmpty)
    }
  }
}
