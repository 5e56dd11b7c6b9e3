import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// A file in which a program has begun to create its store.
@Suite struct FileReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// As after the first two statements of a creation.
  private func emptyDatabase(_ name: String) throws -> URL {
    let file = folder.file(name)
    try Data().write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let connection = try DatabaseConnection(path: file.path, mode: .writer)
    try connection.executeOnce("PRAGMA auto_vacuum=INCREMENTAL")
    try connection.executeOnce("PRAGMA journal_mode=WAL")
    return file
  }

  @Test func waitsForTheCreationOfTheStore() async throws {
    for number in 0..<2 {
      let file = try emptyDatabase("\(number).store")
      #expect(try Data(contentsOf: file).count > 0)
      let begun = Locked(false)
      let reading = Task.detached {
        var reader = try FileReader(file: file)
        // A busy machine has time for the creation.
        reader.creationInterval = 1.5
        begun.withLock { $0 = true }
        return try reader.read { contents throws(Graph.StoreError) in try contents.generation() }
      }
      try await wait { begun.withLock { $0 } }
      let store = try Graph.Store(schema: Sample.schema, file: file)
      #expect(try await reading.value == 0)
      withExtendedLifetime(store) {}
    }
  }

  @Test func anEmptyDatabaseIsNotAStore() throws {
    let reader = try FileReader(file: try emptyDatabase("a.store"))
    let error = #expect(throws: Graph.StoreError.self) {
      try reader.read { contents throws(Graph.StoreError) in try contents.generation() }
    }
    #expect(error?.code == .foreignFile)
  }
}
