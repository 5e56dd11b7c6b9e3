import Foundation
import GraphQLRuntime

/// The file of a store with its connections.
// Safe: the writer's connection is used by the writer's queue only; the rest is Sendable.
final class StoreFile: @unchecked Sendable {
  /// Changes when a version of the store cannot read what another one writes.
  static let format: Int64 = 4
  static let applicationID: Int64 = 0x5453_5746
  /// After so many pages in the log they are moved into the file.
  private static let checkpointPages = 1000

  let path: String
  let lock: ProcessLock
  let pool: ConnectionPool
  let types = TypeNames()
  /// What happened to a file that could not be read.
  let recovery: StoreRecovery?
  private(set) var writer: Connection?

  /// Opens the file, or makes it.
  ///
  /// - Throws: `newerFormat`, `foreignFile`, `unsafePath`, `file`, `database`.
  init(_ url: URL, recorder: SQLRecorder?) throws(StoreError) {
    let given = url.standardizedFileURL.path
    let parent = (given as NSString).deletingLastPathComponent
    try FileSafety.makeDirectory(parent)
    let directory = try FileSafety.resolved(directory: parent)
    let path = (directory as NSString).appendingPathComponent(url.lastPathComponent)
    let lock = try ProcessLock(path: path + "-lock")
    let opener = FileOpener(path: path, recorder: recorder)
    let opened = try lock.hold { () throws(StoreError) in try opener.open() }
    self.path = path
    self.lock = lock
    writer = opened.connection
    recovery = opened.recovery
    pool = ConnectionPool(path: path, recorder: recorder)
  }

  deinit {
    pool.drain()
    // The last connection to close checkpoints, which is writing.
    do throws(StoreError) {
      try lock.hold { writer = nil }
    } catch {
      writer = nil
    }
  }

  /// Holds the file against other processes and runs `body` in a transaction that it commits.
  ///
  /// - Parameter isLocked: whether the caller holds the file already.
  func write<T>(isLocked: Bool, _ body: (Connection) throws -> T) throws -> T {
    isLocked ? try write(body) : try lock.hold { () throws in try write(body) }
  }

  private func write<T>(_ body: (Connection) throws -> T) throws -> T {
    guard let writer else { throw StoreError(.file, "the store is closed") }
    let commits = writer.commits
    try writer.run(.beginImmediate)
    do {
      let result = try body(writer)
      if writer.isInTransaction { try writer.run(.commit) }
      if writer.commits != commits { lock.announceCommit() }
      return result
    } catch {
      rollBack(writer, after: error)
      throw error
    }
  }

  /// Whether the log has grown so far that it should be moved into the file.
  var isCheckpointDue: Bool { (writer?.logPages ?? 0) > Self.checkpointPages }

  /// Moves the log into the file, as far as readers let it.
  func checkpoint() {
    // One that fails is made up for by the next.
    try? lock.hold { () throws(StoreError) in try writer?.run(.checkpoint) }
  }

  /// Leaves nothing of the transaction that failed.
  func rollBack(_ writer: Connection, after error: any Error) {
    types.forget()
    // An error of the disk may have ended the transaction already.
    if writer.isInTransaction { try? writer.run(.rollback) }
    note(error)
  }

  /// Gives pages that are free back, and moves the log into the file, whose freed content is zero.
  func scrub() throws(StoreError) {
    try lock.hold { () throws(StoreError) in
      guard let writer else { return }
      try writer.run(.givePagesBack)
      // The first column says whether a reader was in the way.
      guard try writer.integer(.emptyLog) == 0 else {
        throw StoreError(.database, "a reader keeps the log from being emptied")
      }
    }
  }

  /// Remembers damage, so that the next launch looks at the whole file.
  func note(_ error: any Error) {
    guard let error = error as? StoreError, error.code == .corrupt else { return }
    FileOpener.markSuspect(path)
  }
}

extension ProcessLock {
  func hold<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try hold(body, failure: { $0 })
  }

  func hold<T>(_ body: () throws -> T) throws -> T {
    try hold(body, failure: { $0 })
  }
}
