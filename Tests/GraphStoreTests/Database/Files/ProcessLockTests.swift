import Foundation
import TestSupport
import Testing

@testable import GraphStore

@Suite struct ProcessLockTests {
  private let path: String
  private let mine: ProcessLock

  init() throws {
    path = try TemporaryFolder().file("lock").path
    mine = try ProcessLock(path: path)
  }

  private func size() throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

  @Test func excludesOtherLocksOfTheSameFile() throws {
    let other = try ProcessLock(path: path)
    #expect(other.tryToTake())
    #expect(!mine.tryToTake())
    other.release()
    #expect(mine.tryToTake())
  }

  #if !canImport(Darwin)
    @Test func announcesACommitOnlyToOtherProcesses() throws {
      mine.registerObserver()
      mine.announceCommit()
      #expect(try size() == 0)
      do {
        let other = try ProcessLock(path: path)
        other.registerObserver()
      }
      // The other one has been released, as at the end of a process.
      mine.announceCommit()
      #expect(try size() == 0)
      let other = try ProcessLock(path: path)
      other.registerObserver()
      mine.announceCommit()
      #expect(try size() == 1)
    }
  #endif
}
