import GraphQLRuntime

/// Read-only connections that are kept for the next reader.
///
/// A connection is created if all others are in use, so no reader waits for another.
final class ConnectionPool: Sendable {
  private static let most = 8
  private let idle = Locked<[DatabaseConnection]>([])
  private let location: FileLocation
  private let recorder: SQLRecorder?
  private let mode: DatabaseConnection.Mode

  init(location: FileLocation, recorder: SQLRecorder?, mode: DatabaseConnection.Mode = .reader) {
    self.location = location
    self.recorder = recorder
    self.mode = mode
  }

  /// Reads with one connection. Several statements that must be consistent are between
  /// ``begin(busyTimeout:)`` and ``end(_:)``.
  ///
  /// - Parameter busyTimeout: see ``DatabaseConnection/busyTimeout``.
  func read<T>(
    busyTimeout: Int32 = 5000, _ body: (DatabaseConnection) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T {
    let connection = try take(busyTimeout)
    defer { give(connection) }
    return try body(connection)
  }

  private func take(_ busyTimeout: Int32) throws(Graph.StoreError) -> DatabaseConnection {
    try location.checkKnown()
    if let connection = idle.withLock({ $0.popLast() }) {
      connection.busyTimeout = busyTimeout
      return connection
    }
    do throws(Graph.StoreError) {
      let connection = try DatabaseConnection(
        path: location.path, mode: mode, recorder: recorder, busyTimeout: busyTimeout)
      // The log is opened with the first statement, by its path, like the file.
      _ = try connection.texts("PRAGMA schema_version")
      try location.check()
      return connection
    } catch {
      // A missing file is a more significant error than a failure to open it.
      try location.check()
      throw error.opening(location.path)
    }
  }

  private func give(_ connection: DatabaseConnection) {
    idle.withLock { if $0.count < Self.most { $0.append(connection) } }
  }

  /// Takes a connection with a snapshot of the committed data; ``end(_:)`` returns it.
  func begin(busyTimeout: Int32 = 5000) throws(Graph.StoreError) -> DatabaseConnection {
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

  func end(_ connection: DatabaseConnection) {
    do {
      try connection.run(.commit)
      give(connection)
    } catch {
      // The connection is in an unusable state, so it is closed.
    }
  }

  /// Leaves the connections open forever.
  // Safe: the kept references are never released.
  func abandon() {
    idle.withLock { for connection in $0 { _ = unsafe Unmanaged.passRetained(connection) } }
  }

  /// Closes unused connections.
  ///
  /// - Returns: one of them, which is still open; nil if there is none.
  func drain() -> DatabaseConnection? {
    idle.withLock { connections in
      let last = connections.last
      connections.removeAll()
      return last
    }
  }
}

/// The connections for one store's reading, which waits for SQLite's locks for the store's limit.
struct ReadingPool {
  let pool: ConnectionPool
  let limit: Duration

  private var busyTimeout: Int32 { WaitLimit(limit, since: WaitLimit.now).milliseconds }

  func read<T>(_ body: (DatabaseConnection) throws(Graph.StoreError) -> T) throws(Graph.StoreError)
    -> T
  {
    try pool.read(busyTimeout: busyTimeout, body)
  }

  func begin() throws(Graph.StoreError) -> DatabaseConnection {
    try pool.begin(busyTimeout: busyTimeout)
  }

  func end(_ connection: DatabaseConnection) { pool.end(connection) }
}
