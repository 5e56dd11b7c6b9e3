import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// The built `treeswift-store` as a process: its output and exit statuses.
@Suite struct StoreToolTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> BuiltTool.Run {
    try BuiltTool("treeswift-store").run(arguments, in: folder.url)
  }

  private func filledStore() async throws -> Graph.Store {
    let store = try Graph.Store(schema: Sample.schema, file: folder.file())
    try await store.write(
      json: Array(#"[{"id":"1","name":"Ann","club":{"id":"c"}},{"id":"2"}]"#.utf8),
      as: Sample.Person.self)
    return store
  }

  @Test func printsCountsSizeAndIntegrity() async throws {
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

  @Test func printsOneObject() async throws {
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

  @Test func exportsToJSON() async throws {
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
    try DatabaseConnection(path: folder.file().path, mode: .writer).executeOnce(
      "UPDATE entity SET record = replace(record, 'Ann', 'Bea') WHERE key = '1'")
    let result = try run("test.store")
    #expect(result.status == 1)
    #expect(result.output.contains("integrity: damaged\n  the record in row "))
    #expect(try run("test.store", "Person:1").status == 1)
    withExtendedLifetime(store) {}
  }

  @Test func rejectsAMissingFileWithoutCreatingIt() throws {
    let result = try run("none.store")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.hasPrefix("treeswift-store: none.store: "))
    #expect(!FileManager.default.fileExists(atPath: folder.file("none.store").path))
  }

  @Test func rejectsAFileThatIsNotAStore() throws {
    try Data("text".utf8).write(to: folder.file("text"))
    let result = try run("text")
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.hasPrefix("treeswift-store: text: "))
    #expect(try Data(contentsOf: folder.file("text")) == Data("text".utf8))
  }

  @Test func printsUsageForHelpAndInvalidArguments() throws {
    let help = try run("--help")
    #expect(help.status == 0 && help.output.contains("Usage: treeswift-store FILE"))
    for wrong in [try run(), try run("--export"), try run("a", "b", "c")] {
      #expect(wrong.status == 2)
      #expect(wrong.output.isEmpty && wrong.error == help.output)
    }
  }

  @Test func rejectsAnInvalidKey() async throws {
    let store = try await filledStore()
    let result = try run("test.store", "Person")
    #expect(result.status == 2)
    #expect(result.output.isEmpty && result.error.contains("Usage: treeswift-store FILE"))
    withExtendedLifetime(store) {}
  }
}
