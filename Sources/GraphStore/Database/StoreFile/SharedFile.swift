import GraphQLRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

extension SharedFile {
  /// Ensures, before the file is opened at another path, that no two connections of the process use
  /// different logs for the file.
  ///
  /// - Throws: `busy` if the file was moved without its log; the log's contents are in the file
  ///   then.
  func checkMove(to path: String, _ limit: WaitLimit) throws(Graph.StoreError) {
    // All files were moved together: the connections here are no longer usable, but harmless.
    if logFiles.areAt(path) { return }
    try? saveLog(forFileAt: path, limit)
    throw Graph.StoreError(
      .busy,
      "this process has the file open at its former path, '\(location.path)'; close the stores that "
        + "were opened there, then open it again")
  }

  /// Moves the log into the file, which SQLite does not do for a file that was moved. Only if the
  /// file cannot have been opened at its new path.
  private func saveLog(forFileAt path: String, _ limit: WaitLimit) throws(Graph.StoreError) {
    let other = try WriteLock(path: path)
    try other.take(limit)
    defer { other.release() }
    try writeLock.take(limit)
    defer { writeLock.release() }
    guard LogFiles(of: path).isEmpty else { return }
    try writer?.run(.checkpoint)
  }

  /// Releases the path, at which there is another file now.
  func releasePath(_ limit: WaitLimit) throws(Graph.StoreError) {
    try writeLock.take(limit)
    defer { writeLock.release() }
    releasePath()
  }

  /// Releases the path, at which there is another file now. The caller has the write lock.
  func releasePath() {
    guard FileIdentity(path: location.path) != location.identity else { return }
    location.markReplaced()
    logFiles.moveAside(from: location.path)
  }
}

/// The files next to a store's file that SQLite has open with it: its log, and the log's index.
/// SQLite finds them by the path, and shares the index among the connections of a process by the
/// file's inode.
struct LogFiles: Sendable {
  /// The files by the suffixes of their names.
  private let files: [String: FileIdentity]

  /// The existing files.
  init(of path: String) {
    var files: [String: FileIdentity] = [:]
    for suffix in FileOpener.logSuffixes { files[suffix] = FileIdentity(path: path + suffix) }
    self.files = files
  }

  var isEmpty: Bool { files.isEmpty }

  /// Whether all of these files are next to `path` now.
  func areAt(_ path: String) -> Bool {
    !files.isEmpty && files.allSatisfy { FileIdentity(path: path + $0.key) == $0.value }
  }

  /// Moves those of these files aside that are still at `path`, where there is a new file now: SQLite
  /// would use them with the new file. Processes that have them open keep them open.
  // Safe: the paths are strings that the calls borrow.
  func moveAside(from path: String) {
    let left = files.filter { FileIdentity(path: path + $0.key) == $0.value }.keys
    if left.isEmpty { return }
    let aside = FileOpener.unusedPath(for: path)
    for suffix in left { unsafe rename(path + suffix, aside + suffix) }
  }
}

/// The numbers of types in one file. A number never changes once it is committed.
final class TypeNumbers: Sendable {
  private let numbers = Locked<[String: Int64]>([:])

  /// The number of a type, nil if the file has no object of it.
  func number(of name: String, on connection: DatabaseConnection) throws(Graph.StoreError) -> Int64?
  {
    if let known = numbers.withLock({ $0[name] }) { return known }
    let found = try all(on: connection)
    numbers.withLock { $0.merge(found) { $1 } }
    return found[name]
  }

  /// The names of all types with a number in the file.
  func names(on connection: DatabaseConnection) throws(Graph.StoreError) -> [String] {
    Array(try all(on: connection).keys)
  }

  func all(on connection: DatabaseConnection) throws(Graph.StoreError) -> [String: Int64] {
    var found: [String: Int64] = [:]
    let statement = try connection.prepared(.allTypes)
    defer { statement.reset() }
    while try statement.step() { found[statement.text(1)] = statement.integer(0) }
    // A damaged number would return the objects of one type as those of another.
    guard Set(found.values).count == found.count else {
      throw Graph.StoreError(.corrupt, "two types have the same number")
    }
    return found
  }

  /// The number of a type, which the open transaction assigns if it has none.
  func numberForWriting(_ name: String, on connection: DatabaseConnection) throws(Graph.StoreError)
    -> Int64
  {
    if let known = try number(of: name, on: connection) { return known }
    let statement = try connection.prepared(.insertType)
    statement.bind(name, at: 1)
    do { try statement.runAndReset() } catch { throw error.asDamage }
    let number = connection.lastInsertedRow
    numbers.withLock { $0[name] = number }
    return number
  }

  /// Drops all numbers: those of a transaction that was rolled back are not in the file.
  func forget() {
    numbers.withLock { $0 = [:] }
  }
}
