import GraphQLRuntime

/// Read-only connections that are kept for the next reader.
///
/// A connection is made when all others are taken, so no reader waits for another.
final class ConnectionPool: Sendable {
  private static let most = 8
  private let idle = Locked<[Connection]>([])
  private let place: FilePlace
  private let recorder: SQLRecorder?

  init(place: FilePlace, recorder: SQLRecorder?) {
    self.place = place
    self.recorder = recorder
  }

  /// Reads with one connection. Several statements that must agree are
  /// between ``begin(busyTimeout:)`` and ``end(_:)``.
  ///
  /// - Parameter busyTimeout: see ``Connection/busyTimeout``.
  func read<T>(
    busyTimeout: Int32 = 5000, _ body: (Connection) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    let connection = try take(busyTimeout)
    defer { give(connection) }
    return try body(connection)
  }

  private func take(_ busyTimeout: Int32) throws(StoreError) -> Connection {
    try place.checkKnown()
    if let connection = idle.withLock({ $0.popLast() }) {
      connection.busyTimeout = busyTimeout
      return connection
    }
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
  func begin(busyTimeout: Int32 = 5000) throws(StoreError) -> Connection {
    let connection = try take(busyTimeout)
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

/// The connections for one store's reading, which waits for SQLite's locks as long as the store says.
struct ReadingPool {
  let pool: ConnectionPool
  let limit: Duration

  private var busyTimeout: Int32 { WaitLimit(limit, since: WaitLimit.now).milliseconds }

  func read<T>(_ body: (Connection) throws(StoreError) -> T) throws(StoreError) -> T {
    try pool.read(busyTimeout: busyTimeout, body)
  }

  func begin() throws(StoreError) -> Connection { try pool.begin(busyTimeout: busyTimeout) }

  func end(_ connection: Connection) { pool.end(connection) }
}
