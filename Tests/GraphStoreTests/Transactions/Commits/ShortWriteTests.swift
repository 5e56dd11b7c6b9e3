import Dispatch
import Foundation
import GraphQLRuntime
import TestSupport
import Testing

@testable import GraphStore

/// Writes that run on the caller's thread if there is no other writer.
@Suite struct ShortWriteTests {
  private func person(_ age: Int) -> [UInt8] { Array(#"{"id":"1","age":\#(age)}"#.utf8) }

  @Test func shortWritesWaitForTheLockOfAnotherProcess() async throws {
    let file = try TemporaryFolder().file()
    let store = try Graph.Store(schema: Sample.schema, file: file)
    let other = try ProcessLock(path: file.path + "-lock")
    #expect(other.tryToTake())
    async let write = store.write(json: person(1), as: Sample.Person.self)
    // A statement on this thread releases the lock, on whichever thread the write runs.
    other.release()
    #expect(try await write.inserted.count == 1)
    #expect(try store.object(Sample.Person.self, key: "1")?.age == 1)
  }

  @Test func shortAndLongWritesRunOneAtATime() async throws {
    let store = try Graph.Store(schema: Sample.schema, file: try TemporaryFolder().file())
    try await store.write(json: person(0), as: Sample.Person.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for turn in 0..<100 {
        group.addTask {
          if turn % 2 == 0 {
            try await store.write(
              json: Array(#"{"id":"\#(turn)","name":"a"}"#.utf8), as: Sample.Person.self)
          } else {
            try await store.write { transaction in
              let age = try transaction.object(Sample.Person.self, key: "1")?.age ?? 0
              try transaction.write(
                json: Array(#"{"id":"1","age":\#(age + 1)}"#.utf8), as: Sample.Person.self)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.object(Sample.Person.self, key: "1")?.age == 50)
    #expect(try store.count(of: Sample.Person.self) == 51)
  }

  @Test func anErrorUndoesAShortWrite() async throws {
    let store = try Graph.Store(schema: Sample.schema, file: try TemporaryFolder().file())
    await #expect(throws: Graph.StoreError.self) {
      try await store.write(
        json: Array(#"[{"id":"1","age":1},{"id":"2","age":"two"}]"#.utf8), as: Sample.Person.self)
    }
    #expect(try store.count(of: Sample.Person.self) == 0)
    try await store.write(json: person(3), as: Sample.Person.self)
    #expect(try store.object(Sample.Person.self, key: "1")?.age == 3)
  }

  /// Otherwise a file would be open for a moment after its last store has gone.
  @Test func aCompletedWriteDoesNotRetainItsStore() throws {
    var store: Graph.Store? = try Graph.Store(
      schema: Sample.schema, file: try TemporaryFolder().file())
    weak let file = store?.committed.file?.shared
    let (hasEnded, hasGone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    store?.writer.perform({ [store] _ in _ = store }) { _ in
      hasEnded.signal()
      hasGone.wait()
    }
    hasEnded.wait()
    #expect(file != nil)
    store = nil
    #expect(file == nil)
    hasGone.signal()
  }
}
