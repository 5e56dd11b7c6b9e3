import GraphQLRuntime

/// A process's resources for one file: a lock, a connection that writes, and a pool of those that
/// read. All stores of the process that have the file open share it.
///
/// SQLite's locks belong to the process instead of a descriptor: the system drops all of them when
/// any descriptor of the file is closed (SQLite, "How To Corrupt An SQLite Database File", 2.2). So
/// only SQLite opens the file, its log or its index while this object lives.
// Safe: the connection and the version are used only with the write lock; the rest is Sendable. A
// connection that must not be closed is retained once and never released.
final class SharedFile: @unchecked Sendable {
  let location: FileLocation
  let writeLock: WriteLock
  let pool: ConnectionPool
  let typeNumbers = TypeNumbers()
  private let observers = Locked(Observers())
  private(set) var writer: DatabaseConnection?
  /// The log and its index as SQLite has them open.
  let logFiles: LogFiles
  /// The number of commits that were made or noticed here since the file was opened.
  let commitCount = AtomicNumber(0)
  private var dataVersion: Int64?

  private struct Observers: Sendable {
    var next = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
  }

  init(
    location: FileLocation, writeLock: WriteLock, writer: DatabaseConnection, recorder: SQLRecorder?
  ) throws(Graph.StoreError) {
    self.location = location
    self.writeLock = writeLock
    self.writer = writer
    pool = ConnectionPool(location: location, recorder: recorder)
    dataVersion = try writer.integer(.dataVersion)
    logFiles = LogFiles(of: location.path)
  }

  deinit {
    OpenFileRegistry.remove(self)
    if location.isInherited {
      // Closing would release the parent's locks and its log.
      writer.map { _ = unsafe Unmanaged.passRetained($0) }
      pool.abandon()
      OpenFileRegistry.refuse(location.identity)
      return
    }
    var reader = pool.drain()
    // The last connection to close moves the log into the file; other processes cannot open the
    // file during that. SQLite does so only if no other process has it open.
    let isMine = (try? writeLock.take(WaitLimit(.seconds(1)))) != nil
    try? location.check()
    if isMine { saveLostLog() }
    if !location.hasLostLog || isMine && location.isUnopenedSinceLogWasLost {
      reader = nil
      writer = nil
    } else {
      closeWriter(keepingOpen: reader)
    }
    LostLogs.release(location.identity)
    guard isMine else { return }
    // SQLite leaves the log of a moved file, and it must not be used for another file.
    if FileSafety.exists(location.path) { releasePath() }
    writeLock.release()
  }

  /// Closes the connection that writes, without effects on the folder: another process may have
  /// another log there.
  ///
  /// If it is the last connection, SQLite moves the lost log into the file and deletes the log in the
  /// folder. It does neither while a read-only connection is open, nor when that one is closed. So
  /// the writing connection is closed before `reader`.
  ///
  /// - Parameter reader: nil if there is no read-only connection; then the writing connection stays open
  ///   forever.
  private func closeWriter(keepingOpen reader: DatabaseConnection?) {
    if reader == nil {
      writer.map { _ = unsafe Unmanaged.passRetained($0) }
      OpenFileRegistry.refuse(location.identity)
    }
    withExtendedLifetime(reader) { writer = nil }
  }

  /// Moves a log that is no longer next to its file into the file, unless the file may have been opened
  /// without it. The caller has the write lock.
  func saveLostLog() {
    guard location.hasLostLog && location.isUnopenedSinceLogWasLost || location.isMovedWithoutLog,
      let writer,
      !writer.isInTransaction
    else { return }
    try? writer.run(.checkpoint)
  }

  /// Calls `handler` after commits of others, in this process or noticed in it, until the
  /// registration ends.
  func addObserver(_ handler: @escaping @Sendable () -> Void) -> (number: Int, Registration) {
    let number = observers.withLock { observers in
      observers.next += 1
      observers.handlers[observers.next] = handler
      return observers.next
    }
    // Values that a handler captures must not end under the lock.
    return (
      number,
      Registration { [self] in _ = observers.withLock { $0.handlers.removeValue(forKey: number) } }
    )
  }

  /// Counts a commit of a store, and notifies the others. The caller has the write lock.
  func noteCommit(by observer: Int?) {
    commitCount.add(1)
    writeLock.processLock.announceCommit()
    notifyObservers(except: observer)
  }

  /// Counts commits of other processes. The caller has the write lock.
  func refresh(for observer: Int?) throws(Graph.StoreError) {
    guard let version = try writer?.integer(.dataVersion), version != dataVersion else { return }
    dataVersion = version
    commitCount.add(1)
    notifyObservers(except: observer)
  }

  private func notifyObservers(except observer: Int?) {
    let handlers = observers.withLock { observers in
      observers.handlers.count < 2
        ? [] : observers.handlers.filter { $0.key != observer }.map(\.value)
    }
    for handler in handlers { handler() }
  }
}
