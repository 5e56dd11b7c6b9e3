import GraphQLRuntime

/// Read-only connections that are kept for the next reader.
///
/// A connection is made when all others are taken, so no reader waits for another.
final class ConnectionPool: Sendable {
  private static let most = 8
  private let idle = Locked<[Connection]>([])
  private let place: FilePlace
  private let recorder: SQLRecorder?
  private let busyTimeout: Int32

  init(place: FilePlace, recorder: SQLRecorder?, busyTimeout: Int32 = 5000) {
    self.place = place
    self.recorder = recorder
    self.busyTimeout = busyTimeout
  }

  /// Reads with one connection. Several statements that must agree are
  /// between ``begin()`` and ``end(_:)``.
  func read<T>(_ body: (Connection) throws(StoreError) -> T) throws(StoreError) -> T {
    let connection = try take()
    defer { give(connection) }
    return try body(connection)
  }

  private func take() throws(StoreError) -> Connection {
    try place.checkKnown()
    if let connection = idle.withLock({ $0.popLast() }) { return connection }
    do throws(StoreError) {
      let connection = try Connection(
        path: place.path, mode: .reader, recorder: recorder, busyTimeout: busyTimeout)
      // The log is opened with the first statement, by its path as the file is.
      _ = try connection.texts("PRAGMA schema_version")
      try place.check()
      return connection
    } catch {
      // That the file is gone says more than that it cannot be opened.
      try place.check()
      throw error
    }
  }

  private func give(_ connection: Connection) {
    idle.withLock { if $0.count < Self.most { $0.append(connection) } }
  }

  /// Takes a connection with a snapshot of what is committed now; ``end(_:)`` gives it back.
  func begin() throws(StoreError) -> Connection {
    let connection = try take()
    try connection.run(.begin)
    do {
      // A deferred transaction has its snapshot from its first read on.
      try connection.run(.pinSnapshot)
    } catch {
      try? connection.run(.rollback)
      throw error
    }
    return connection
  }

  func end(_ connection: Connection) {
    do {
      try connection.run(.commit)
      give(connection)
    } catch {
      // The connection is in a state that nobody should meet: it is closed.
    }
  }

  /// Leaves the connections open for ever.
  // Safe: the references that are kept are those that nobody lets go of.
  func abandon() {
    idle.withLock { for connection in $0 { _ = unsafe Unmanaged.passRetained(connection) } }
  }

  /// Closes the connections that nobody uses.
  func drain() {
    idle.withLock { $0.removeAll() }
  }
}
