import Foundation
import GraphQLRuntime

/// The file of one store, which it may share with other stores of the process.
// Safe: the count is used only with the write lock; the rest is Sendable.
final class StoreFile: @unchecked Sendable {
  /// Changes when a version of the store cannot read the files of another one.
  static let format: Int64 = 4
  static let applicationID: Int64 = 0x5453_5746
  /// If the log has more pages than this, they are moved into the file.
  private static let checkpointPages = 1000

  let shared: SharedFile
  /// The outcome for a file that could not be read.
  let recovery: Graph.StoreRecovery?
  private let limit: Duration
  private let foreign = Locked<(@Sendable () -> Void)?>(nil)
  private var observation: (number: Int, registration: Registration)?
  /// The commits of this store.
  private var ownCommits = 0

  var path: String { shared.location.path }
  var writeLock: WriteLock { shared.writeLock }
  var pool: ReadingPool { ReadingPool(pool: shared.pool, limit: limit) }
  var typeNumbers: TypeNumbers { shared.typeNumbers }

  /// Opens the file, or creates it, without checking that its data fits the program.
  init(_ url: URL, limit: Duration, recorder: SQLRecorder?) throws(Graph.StoreError) {
    let given = url.standardizedFileURL.path
    let parent = (given as NSString).deletingLastPathComponent
    try FileSafety.makeDirectory(parent)
    let directory = try FileSafety.resolved(directory: parent)
    let path = (directory as NSString).appendingPathComponent(url.lastPathComponent)
    let opened = try OpenFileRegistry.open(path, WaitLimit(limit), recorder: recorder)
    shared = opened.file
    recovery = opened.recovery
    self.limit = limit
    observation = shared.addObserver { [foreign] in foreign.withLock { $0 }?() }
  }

  /// The number of logouts in the file.
  func generation() throws(Graph.StoreError) -> UInt64 {
    try pool.read { connection throws(Graph.StoreError) in try connection.generation() }
  }

  /// Calls `body` after a commit of another store of this process.
  func onCommitOfOthers(_ body: @escaping @Sendable () -> Void) {
    foreign.withLock { $0 = body }
  }

  /// Changes with each commit of other stores. The caller has the write lock.
  func version() throws(Graph.StoreError) -> Int64 {
    try shared.refresh(for: observation?.number)
    return knownVersion
  }

  /// The last known version, without a check for commits of other processes. This does not require the
  /// write lock.
  var knownVersion: Int64 { Int64(shared.commitCount.load() - ownCommits) }

  /// Calls `body` with the connection that writes, in a transaction that it commits.
  ///
  /// - Parameters:
  ///   - hasWriteLock: whether the caller already has the write lock, for a few objects.
  ///   - start: when the caller started to wait, see ``WaitLimit``.
  func write<T>(
    hasWriteLock: Bool, since start: UInt64, _ body: (DatabaseConnection) throws -> T
  ) throws -> T {
    guard !hasWriteLock else { return try write(isLong: false, waited: 0, body) }
    let begin = WaitLimit.now
    try writeLock.take(WaitLimit(limit, since: start))
    defer { writeLock.release() }
    return try write(isLong: true, waited: Int64(WaitLimit.now - begin), body)
  }

  /// - Parameter waited: for the write lock, in nanoseconds. The remaining time is for SQLite's
  ///   lock.
  private func write<T>(
    isLong: Bool, waited: Int64, _ body: (DatabaseConnection) throws -> T
  ) throws -> T {
    let writer = try sharedWriter(waited > 100_000_000 ? limit - .nanoseconds(waited) : limit)
    let commits = writer.commits
    do {
      // With another index, other processes would write to the same place of the log.
      if isLong { try shared.location.check() }
      try writer.allowEarlyWrites(isLong)
      try writer.run(.beginImmediate)
      let result = try body(writer)
      if writer.isInTransaction { try commit(writer) }
      if writer.commits != commits { noteCommit() }
      return result
    } catch {
      rollBack(writer, after: error)
      throw error
    }
  }

  /// Notifies the other stores of a commit. The caller has the write lock.
  func noteCommit() {
    ownCommits += 1
    shared.noteCommit(by: observation?.number)
  }

  /// Commits to the file at the path: a write into one that was moved away would be lost.
  ///
  /// - Throws: `replaced`; then nothing is committed to the file at the path.
  func commit(_ writer: DatabaseConnection) throws(Graph.StoreError) {
    try shared.location.check()
    try writer.run(.commit)
    if writer.mayWriteEarly { try shared.location.checkAfterCommit() }
  }

  /// Whether the log has grown so far that it should be moved into the file. The caller has the
  /// write lock.
  var isCheckpointDue: Bool { (shared.writer?.logPages ?? 0) > Self.checkpointPages }

  /// Moves the log into the file, as far as readers allow.
  func checkpoint() {
    // If this fails, the next checkpoint moves these pages as well.
    try? withWriteLock { writer throws(Graph.StoreError) in try writer.run(.checkpoint) }
  }

  /// Calls `body` with the connection that writes, excluding all other writers.
  func withWriteLock<T>(_ body: (DatabaseConnection) throws(Graph.StoreError) -> T) throws(Graph
    .StoreError) -> T
  {
    try writeLock.take(WaitLimit(limit))
    defer { writeLock.release() }
    let writer = try sharedWriter(limit)
    do throws(Graph.StoreError) {
      try shared.location.check()
      return try body(writer)
    } catch {
      shared.saveLostLog()
      note(error)
      throw error
    }
  }

  /// The connection that writes, which waits for SQLite's lock for this store's limit: the stores
  /// that share it may have different limits. The caller has the write lock.
  private func sharedWriter(_ limit: Duration) throws(Graph.StoreError) -> DatabaseConnection {
    guard let writer = shared.writer else { throw Graph.StoreError(.file, "the store is closed") }
    writer.busyTimeout = Int32(clamping: max(0, limit.wholeMilliseconds))
    return writer
  }

  /// Undoes the transaction that failed.
  func rollBack(_ writer: DatabaseConnection, after error: any Error) {
    typeNumbers.forget()
    // An error of the disk may have ended the transaction already.
    if writer.isInTransaction { try? writer.run(.rollback) }
    shared.saveLostLog()
    note(error)
  }

  /// Frees unused pages, and moves the log into the file, whose freed content is zero. Deletes the
  /// files that were moved aside. All steps are done even if one fails.
  ///
  /// - Parameter waits: whether to wait for readers, at most for the limit of locks.
  func erase(waits: Bool = true) throws(Graph.StoreError) {
    try withWriteLock { writer throws(Graph.StoreError) in
      if !waits { writer.busyTimeout = 0 }
      let failure: Graph.StoreError?
      do throws(Graph.StoreError) {
        try empty(writer)
        failure = nil
      } catch { failure = error }
      try FileOpener.deleteFilesAside(of: path)
      if let failure { throw failure }
    }
  }

  private func empty(_ writer: DatabaseConnection) throws(Graph.StoreError) {
    try writer.run(.givePagesBack)
    // The first column shows whether a reader prevented it.
    guard try writer.integer(.emptyLog) == 0 else {
      throw Graph.StoreError(.database, "a reader prevents the log from being truncated")
    }
  }

  /// Records damage, so that the next launch checks the whole file.
  func note(_ error: any Error) {
    guard let error = error as? Graph.StoreError, error.code == .corrupt,
      !shared.location.isKnownToBeReplaced
    else { return }
    IntegrityCheckMarker.set(path)
  }
}
