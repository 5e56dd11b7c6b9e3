import Foundation
import GraphJSON
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

@Suite struct StoreInspectorTests {
  @Test func readsAFileWithoutTheSchema() async throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file)
    try await store.write(
      json: Array(#"[{"id":"1\"","name":"Ann","club":{"id":"c"}},{"id":"2"}]"#.utf8),
      as: Sample.Person.self)
    let inspector = try Graph.StoreInspector(file: file)
    #expect(try inspector.counts().map { "\($0.typeName) \($0.count)" } == ["Club 1", "Person 2"])
    let key = try #require(GraphQL.EntityKey("Person:1\""))
    #expect(try inspector.record(key)?["name"] == "Ann")
    #expect(try inspector.record(.init(typeName: "Person", key: "9")) == nil)
    #expect(try inspector.record(.init(typeName: "Nothing", key: "9")) == nil)
    #expect(try inspector.problems().isEmpty)
    #expect(inspector.size.file + inspector.size.log > 0)
    var text: [UInt8] = []
    try inspector.export { text += $0 }
    let json = try JSON(parsing: text)
    #expect(json["Person"]?["1\""]?["club"]?["&"] == "Club:c")
    #expect(json["Club"]?["c"]?["id"] == "c")
  }

  @Test func exportsAnEmptyStoreAsAnEmptyObject() throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file)
    var text: [UInt8] = []
    try Graph.StoreInspector(file: file).export { text += $0 }
    #expect(try JSON(parsing: text) == [:])
    withExtendedLifetime(store) {}
  }

  /// The administrator may write to any folder.
  @Test(.enabled(if: geteuid() != 0))
  func readsAClosedFileInAFolderThatIsNotWritable() async throws {
    let folder = try TemporaryFolder()
    do {
      let store = try Graph.Store(schema: Sample.schema, file: folder.file())
      try await store.write(json: Array(#"{"id":"1","name":"a"}"#.utf8), as: Sample.Person.self)
    }
    #expect(chmod(folder.url.path, 0o500) == 0)
    defer { chmod(folder.url.path, 0o700) }
    #expect(try Graph.StoreInspector(file: folder.file()).counts().map(\.count) == [1])
  }

  /// The same for any user, with a name that has the characters of a URI.
  @Test func readsAClosedFileWithoutItsLog() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a b?c#d%25é.store")
    do {
      let store = try Graph.Store(schema: Sample.schema, file: file)
      try await store.write(json: Array(#"{"id":"1","name":"a"}"#.utf8), as: Sample.Person.self)
    }
    let connection = try DatabaseConnection(path: file.path, mode: .readerOfClosedFile)
    #expect(try connection.texts("SELECT count(*) FROM entity") == ["1"])
    #expect(!FileSafety.exists(file.path + "-wal") && !FileSafety.exists(file.path + "-shm"))
  }

  @Test func rejectsMissingAndForeignFiles() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Graph.StoreError.self) { try Graph.StoreInspector(file: folder.file("none")) }
    try Data("text".utf8).write(to: folder.file("text"))
    #expect(throws: Graph.StoreError.self) { try Graph.StoreInspector(file: folder.file("text")) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("none").path))
  }
}
