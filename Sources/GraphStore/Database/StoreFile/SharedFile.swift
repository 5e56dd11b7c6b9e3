import GraphQLRuntime
import Synchronization

/// A process's resources for one file: a lock, a connection that writes, and a pool of those that
/// read. All stores of the process that have the file open share it.
///
/// SQLite's locks belong to the process instead of a descriptor: the system drops all of them when
/// any descriptor of the file is closed (SQLite, "How To Corrupt An SQLite Database File", 2.2). So
/// only SQLite opens the file, its log or its index while this object lives.
// Safe: the connection and the version are used only with the write lock; the rest is Sendable. A
// reference that is kept forever is never released.
final class SharedFile: @unchecked Sendable {
  let place: FilePlace
  let writeLock: WriteLock
  let pool: ConnectionPool
  let types = TypeNames()
  private let members = Locked(Members())
  private(set) var writer: DatabaseConnection?
  /// The log and its index as SQLite has them open.
  let companions: Companions
  /// The number of commits that were made or noticed here since the file was opened.
  let events = Atomic(0)
  private var dataVersion: Int64?

  private struct Members: Sendable {
    var next = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
  }

  init(
    place: FilePlace, writeLock: WriteLock, writer: DatabaseConnection, recorder: SQLRecorder?
  ) throws(Graph.StoreError) {
    self.place = place
    self.writeLock = writeLock
    self.writer = writer
    pool = ConnectionPool(place: place, recorder: recorder)
    dataVersion = try writer.integer(.dataVersion)
    companions = Companions(of: place.path)
  }

  deinit {
    OpenFiles.remove(self)
    if place.isInherited {
      // Closing would release the parent's locks and its log.
      writer.map { _ = unsafe Unmanaged.passRetained($0) }
      pool.abandon()
      OpenFiles.refuse(place.identity)
      return
    }
    var reader = pool.drain()
    // The last connection to close moves the log into the file; other processes cannot open the
    // file during that. SQLite does so only if no other process has it open.
    let isMine = (try? writeLock.take(WaitLimit(.seconds(1)))) != nil
    try? place.check()
    if isMine { saveLostLog() }
    if !place.hasLostLog || isMine && place.isUnopenedSince {
      reader = nil
      writer = nil
    } else {
      closeOnlyConnections(besides: reader)
    }
    LostLogs.release(place.identity)
    guard isMine else { return }
    // SQLite leaves the log of a moved file, and it must not be used for another file.
    if FileSafety.exists(place.path) { leavePath() }
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
  private func closeOnlyConnections(besides reader: DatabaseConnection?) {
    if reader == nil {
      writer.map { _ = unsafe Unmanaged.passRetained($0) }
      OpenFiles.refuse(place.identity)
    }
    withExtendedLifetime(reader) { writer = nil }
  }

  /// Moves a log that is no longer next to its file into the file, unless the file may have been opened
  /// without it. The caller has the write lock.
  func saveLostLog() {
    guard place.hasLostLog && place.isUnopenedSince || place.isMovedWithoutLog, let writer,
      !writer.isInTransaction
    else { return }
    try? writer.run(.checkpoint)
  }

  /// Calls `handler` after commits of others, in this process or noticed in it, until the
  /// registration ends.
  func join(_ handler: @escaping @Sendable () -> Void) -> (number: Int, Registration) {
    let number = members.withLock { members in
      members.next += 1
      members.handlers[members.next] = handler
      return members.next
    }
    // Values that a handler captures must not end under the lock.
    return (
      number,
      Registration { [self] in _ = members.withLock { $0.handlers.removeValue(forKey: number) } }
    )
  }

  /// Counts a commit of a store, and notifies the others. The caller has the write lock.
  func noteCommit(by member: Int?) {
    events.add(1, ordering: .relaxed)
    writeLock.processLock.announceCommit()
    notifyObservers(except: member)
  }

  /// Counts commits of other processes. The caller has the write lock.
  func refresh(for member: Int?) throws(Graph.StoreError) {
    guard let version = try writer?.integer(.dataVersion), version != dataVersion else { return }
    dataVersion = version
    events.add(1, ordering: .relaxed)
    notifyObservers(except: member)
  }

  private func notifyObservers(except member: Int?) {
    let handlers = members.withLock { members in
      members.handlers.count < 2 ? [] : members.handlers.filter { $0.key != member }.map(\.value)
    }
    for handler in handlers { handler() }
  }
}
