#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Opens a store's file under the process lock: checks what it is, makes it, moves a broken one aside.
struct FileOpener {
  let path: String
  let recorder: SQLRecorder?

  private static let companions = ["-wal", "-shm", "-journal"]
  private static let suspectMark = "-suspect"

  func open() throws(StoreError) -> (connection: Connection, recovery: StoreRecovery?) {
    for companion in Self.companions where FileSafety.exists(path + companion) {
      close(try FileSafety.open(path + companion))
    }
    do {
      return (try openChecked(), nil)
    } catch {
      // The statements are constants, so an error of SQL (1) is one of the file's header or tables.
      guard error.code == .corrupt || error.sqliteCode == 1 else { throw error }
      let aside = moveAside()
      return (try openChecked(), StoreRecovery(movedTo: aside, reason: error))
    }
  }

  /// Leaves a mark that makes the next opening check the whole file.
  static func markSuspect(_ path: String) {
    if let descriptor = try? FileSafety.open(path + suspectMark) { close(descriptor) }
  }

  private func openChecked() throws(StoreError) -> Connection {
    close(try FileSafety.open(path))
    let connection = try Connection(path: path, mode: .writer, recorder: recorder)
    let format = try connection.number("PRAGMA user_version")
    let application = try connection.number("PRAGMA application_id")
    let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
    if application == 0, format == 0, tables == 0 {
      try create(connection)
    } else if application != StoreFile.applicationID {
      throw StoreError(.foreignFile, "the file is a database of another program")
    } else if format < StoreFile.format {
      throw StoreError(.corrupt, "the file has the format \(format) of an unreleased version")
    } else if format > StoreFile.format {
      throw StoreError(
        .newerFormat, "the file has format \(format), this version reads \(StoreFile.format)")
    }
    // Permission to write was checked before, so it is the header that says otherwise.
    if connection.isReadOnly { throw StoreError(.corrupt, "the file's header forbids to write") }
    try configure(connection)
    // What every store reads when it is opened must be readable.
    _ = try connection.integer(.generation)
    if FileSafety.exists(path + Self.suspectMark) { try checkIntegrity(connection) }
    return connection
  }

  private func create(_ connection: Connection) throws(StoreError) {
    try connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    try connection.execute("PRAGMA journal_mode=WAL")
    try connection.execute(
      """
      BEGIN IMMEDIATE;
      \(SQL.schema)
      PRAGMA application_id=\(StoreFile.applicationID);
      PRAGMA user_version=\(StoreFile.format);
      COMMIT
      """)
  }

  private func configure(_ connection: Connection) throws(StoreError) {
    try connection.execute("PRAGMA journal_mode=WAL")
    // A commit is in the log when it returns; only a power cut can take the last ones.
    try connection.execute("PRAGMA synchronous=NORMAL")
    try connection.execute("PRAGMA secure_delete=ON")
    try connection.execute("PRAGMA temp_store=MEMORY")
    // Also where damage has only changed a name: no statement would fit such a table.
    let tables = try connection.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    guard SQL.definitions.isSubset(of: tables) else {
      throw StoreError(.corrupt, "the tables are not those of a store")
    }
  }

  // Safe: the path is a string that the call borrows.
  private func checkIntegrity(_ connection: Connection) throws(StoreError) {
    guard try connection.texts("PRAGMA integrity_check(1)") == ["ok"] else {
      throw StoreError(.corrupt, "the integrity check failed")
    }
    unsafe unlink(path + Self.suspectMark)
  }

  /// Renames the file and its companions to names that are not taken.
  // Safe: the paths are strings that the calls borrow.
  private func moveAside() -> String {
    var number = 1
    while FileSafety.exists("\(path).corrupt-\(number)") { number += 1 }
    let aside = "\(path).corrupt-\(number)"
    for companion in [""] + Self.companions { unsafe rename(path + companion, aside + companion) }
    unsafe unlink(path + Self.suspectMark)
    return aside
  }
}

extension Connection {
  fileprivate func number(_ sql: String) throws(StoreError) -> Int64 {
    try texts(sql).first.flatMap { Int64($0) } ?? 0
  }
}
