#if canImport(SQLite3)
  import SQLite3
#else
  import CSQLite
#endif

/// One SQLite connection, used by one thread at a time: the writer's on the writer's queue, a
/// reader's by the thread that took it from the pool. So SQLite's own mutexes are off.
// Safe: only one thread at a time uses it; the handle is open and its statements are not finalized
// until `deinit`.
@safe final class DatabaseConnection: @unchecked Sendable {
  enum Mode {
    /// The one connection that writes and checkpoints.
    case writer
    case reader
    /// Reads a file that is not open elsewhere, without its log and without locks.
    case readerOfClosedFile
    /// Reads a file with a log and an index, without writing to either.
    case readerWithoutWriting
  }

  let handle: OpaquePointer
  private var statements = [Statement?](repeating: nil, count: SQL.allCases.count)
  /// Statements over extension tables, by their text.
  private var extensionStatements: [String: Statement] = [:]
  private let recorder: SQLRecorder?
  /// The number of pages in the write-ahead log after the last commit of this connection.
  private(set) var logPages = 0
  /// The number of commits of this connection that have written anything.
  private(set) var commits = 0
  /// How long to wait for SQLite's own locks, in milliseconds. Only operations that a lock file
  /// cannot order wait for them: recovery, a reader during recovery, and programs that are not
  /// stores.
  var busyTimeout: Int32 {
    didSet { if busyTimeout != oldValue { unsafe sqlite3_busy_timeout(handle, busyTimeout) } }
  }

  /// Whether a transaction may write pages to the log before its commit, if it has too many of them in
  /// memory.
  private(set) var mayWriteEarly = true

  /// Sets ``mayWriteEarly`` for the next transactions.
  func allowEarlyWrites(_ isAllowed: Bool) throws(Graph.StoreError) {
    if isAllowed == mayWriteEarly { return }
    try executeOnce("PRAGMA cache_spill = \(isAllowed)")
    mayWriteEarly = isAllowed
  }

  /// Opens an existing file. A path with a symbolic link in it is refused.
  ///
  /// - Parameter busyTimeout: see ``busyTimeout``.
  init(
    path: String, mode: Mode, recorder: SQLRecorder? = nil, busyTimeout: Int32 = 5000
  ) throws(Graph.StoreError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE
    flags |= mode == .writer ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var name = path
    if mode == .readerOfClosedFile {
      flags |= SQLITE_OPEN_URI
      name = Self.uri(path) + "?immutable=1"
    } else if mode == .readerWithoutWriting {
      flags |= SQLITE_OPEN_URI
      name = Self.uri(path) + "?readonly_shm=1"
    }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe Graph.StoreError(sqlite: code, opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    self.recorder = recorder
    unsafe sqlite3_extended_result_codes(handle, 1)
    self.busyTimeout = busyTimeout
    unsafe sqlite3_busy_timeout(handle, busyTimeout)
    if mode != .readerOfClosedFile {
      // Apple's SQLite keeps `-wal` and `-shm` after the last close unless this is set.
      var keepsLog: Int32 = 0
      unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    }
    guard mode == .writer else { return }
    // Replaces SQLite's own hook, which would checkpoint. The connection outlives it.
    let connection = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_wal_hook(
      handle,
      { connection, _, _, pages in
        let connection = unsafe Unmanaged<DatabaseConnection>.fromOpaque(connection!)
          .takeUnretainedValue()
        connection.logPages = Int(pages)
        connection.commits += 1
        return SQLITE_OK
      }, unsafe connection)
  }

  /// The path as a URI of SQLite: every byte is written as a number, which needs no rules.
  private static func uri(_ path: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = path.utf8.flatMap { byte in
      byte == UInt8(ascii: "/")
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return "file://" + String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    for statement in statements { unsafe statement?.finalize() }
    for statement in extensionStatements.values { unsafe statement.finalize() }
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs statements that are not kept: the setup of a file.
  func executeOnce(_ sql: String) throws(Graph.StoreError) {
    recorder?(.run(sql))
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe Graph.StoreError(sqlite: code, handle) }
  }

  /// A kept statement, ready for its values. It stays valid until the next call for the same one.
  func prepared(_ sql: SQL) throws(Graph.StoreError) -> Statement {
    recorder?(.run(sql.text))
    if let known = statements[sql.rawValue] { return known }
    recorder?(.prepare(sql.text))
    let statement = try unsafe Statement(sql.text, on: handle, isKept: true)
    statements[sql.rawValue] = statement
    return statement
  }

  /// A kept statement over extension tables. Its text is a constant of the program, so the number of
  /// such statements is limited.
  func prepared(extensionSQL sql: String) throws(Graph.StoreError) -> Statement {
    recorder?(.run(sql))
    if let known = extensionStatements[sql] { return known }
    recorder?(.prepare(sql))
    let statement = try unsafe Statement(sql, on: handle, isKept: true)
    extensionStatements[sql] = statement
    return statement
  }

  /// Runs a kept statement without values and ignores its rows.
  func run(_ sql: SQL) throws(Graph.StoreError) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// The first column of the first row.
  func integer(_ sql: SQL) throws(Graph.StoreError) -> Int64? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first columns of a statement's rows.
  func texts(_ sql: String) throws(Graph.StoreError) -> [String] {
    recorder?(.run(sql))
    let statement = try unsafe Statement(sql, on: handle, isKept: false)
    defer { unsafe statement.finalize() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }

  func hasTable(_ name: String) throws(Graph.StoreError) -> Bool {
    let statement = try prepared(.hasTable)
    statement.bind(name, at: 1)
    defer { statement.reset() }
    return try statement.step()
  }

  /// The number of logouts in the file.
  func generation() throws(Graph.StoreError) -> UInt64 {
    UInt64(bitPattern: try integer(.generation) ?? 0)
  }

  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
}

extension Graph.StoreError {
  /// SQLite's message about its last error. It names tables and columns, never values.
  // Safe: the caller keeps the connection alive; SQLite’s texts end in a zero byte, and are copied.
  init(sqlite code: Int32, _ handle: OpaquePointer?) {
    let extended = unsafe handle.map { unsafe sqlite3_extended_errcode($0) } ?? code
    let message = unsafe handle.flatMap { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let text = unsafe message.map { unsafe String(cString: $0) } ?? "unknown error"
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.corrupt, text, sqliteCode: extended)
    case SQLITE_BUSY:
      self.init(
        .busy, "waited for SQLite's lock on the file, which another connection holds: \(text)",
        sqliteCode: extended)
    default: self.init(.database, text, sqliteCode: extended)
    }
  }

  /// The same error with the path of the file that cannot be opened.
  func opening(_ path: String) -> Graph.StoreError {
    guard code == .database else { return self }
    return Graph.StoreError(
      code,
      "cannot open '\(path)': \(message); check the disk, and the permissions of the file, of its folder, and of "
        + "'\(path)-wal' and '\(path)-shm'", cause: cause, sqliteCode: sqliteCode)
  }

  /// The same error, as damage if a constraint was violated: the store's own statements insert only
  /// rows that they did not find, so the table and its index must disagree.
  var asDamage: Graph.StoreError {
    guard let sqliteCode, sqliteCode & 0xFF == SQLITE_CONSTRAINT else { return self }
    return Graph.StoreError(.corrupt, message, cause: self, sqliteCode: sqliteCode)
  }
}

extension DatabaseConnection {
  /// The bytes of the used pages.
  func usedBytes() throws(Graph.StoreError) -> Int { Int(try integer(.usedBytes) ?? 0) }
}

// Tables of another module of the package in the store's file. The store's single writer writes
// them, so that one transaction can change them and objects.

extension DatabaseConnection {
  /// Runs a statement without rows. The connection keeps it, prepared.
  func execute(
    _ sql: String, _ values: [ExtensionValue]
  ) throws(Graph.StoreError) {
    _ = try rows(sql, values) { _ in }
  }

  /// The rows of such a statement.
  func rows<T>(
    _ sql: String, _ values: [ExtensionValue], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    let statement = try prepared(extensionSQL: sql)
    defer { statement.reset() }
    for (position, value) in values.enumerated() {
      switch value {
      case .integer(let value): statement.bind(value, at: Int32(position + 1))
      case .text(let value): statement.bind(value, at: Int32(position + 1))
      }
    }
    var rows: [T] = []
    while try statement.step() { rows.append(read(ExtensionRow(statement: statement))) }
    return rows
  }
}

extension Graph.StoreError {
  static var noFile: Graph.StoreError {
    Graph.StoreError(
      .file, "the store is in memory; create one with a file, with Graph.Store(schema:file:)")
  }
}

/// A value of an extension table. There are no nulls: the reader knows the type of each column.
package enum ExtensionValue: Sendable, Hashable {
  case integer(Int64)
  case text(String)
}

/// A statement's current row; valid only during the call that receives it.
package struct ExtensionRow {
  let statement: Statement

  package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  package func text(_ column: Int32) -> String { statement.text(column) }
}

/// An action of a connection, for tests that check the statements of an operation.
enum SQLEvent: Hashable, Sendable {
  /// A statement was compiled.
  case prepare(String)
  /// A statement was started.
  case run(String)
}

/// Receives the events of all connections of one store.
typealias SQLRecorder = @Sendable (SQLEvent) -> Void
