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
      let created = Locked<Result<Graph.Store, any Error>?>(nil)
      // In threads of their own: those of tasks may all be busy while the reader waits.
      let generation = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          Thread.detachNewThread {
            let store = Result { try Graph.Store(schema: Sample.schema, file: file) }
            created.withLock { $0 = store }
          }
          continuation.resume(
            with: Result {
              var reader = try FileReader(file: file)
              // A busy machine has time for the creation.
              reader.creationInterval = 1.5
              return try reader.read { contents throws(Graph.StoreError) in
                try contents.generation()
              }
            })
        }
      }
      #expect(generation == 0)
      try await wait { created.withLock { $0 != nil } }
      let result = try #require(created.withLock { $0 })
      let store = try result.get()
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
