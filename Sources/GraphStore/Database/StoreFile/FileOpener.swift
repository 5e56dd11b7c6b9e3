#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Foundation

/// Opens a store's file under the process lock: checks it, creates it, moves a damaged one aside.
struct FileOpener {
  let path: String
  let recorder: SQLRecorder?
  let limit: WaitLimit

  /// The suffixes of the names of a file's logs and their index.
  static let logSuffixes = ["-wal", "-shm", "-journal"]

  /// - Throws: `replaced` if the file was moved during the call; also the errors of
  ///   ``StoreFile/init(_:configuration:)``.
  func open() throws(Graph.StoreError) -> (file: Opened, recovery: Graph.StoreRecovery?) {
    do {
      return (try openChecked(), nil)
    } catch {
      // The statements are constants, so an error of SQL (1) is caused by the file's header or
      // tables.
      guard error.code == .corrupt || error.sqliteCode == 1 else { throw error }
      let aside = moveAside()
      return (try openChecked(), Graph.StoreRecovery(movedTo: aside, reason: error))
    }
  }

  /// A connection, and its file.
  struct Opened {
    let connection: DatabaseConnection
    let location: FileLocation
  }

  /// SQLite opens the file at the path, and does not report which file it has opened. If the same file
  /// is there before and afterwards, SQLite has opened this one.
  private func openChecked() throws(Graph.StoreError) -> Opened {
    try prepare()
    let location = try FileLocation(path: path)
    do {
      let connection = try connect()
      try location.check()
      return Opened(connection: connection, location: FileLocation(withLogOf: location))
    } catch {
      // A missing file is a more significant error than the contents of another one.
      try location.check()
      throw error.opening(path)
    }
  }

  private func connect() throws(Graph.StoreError) -> DatabaseConnection {
    let connection = try DatabaseConnection(
      path: path, mode: .writer, recorder: recorder, busyTimeout: limit.milliseconds)
    let format = try connection.number("PRAGMA user_version")
    let application = try connection.number("PRAGMA application_id")
    let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
    if application == 0, format == 0, tables == 0 {
      try create(connection)
    } else if application != StoreFile.applicationID {
      throw Graph.StoreError(.foreignFile, "the file is a database of another program")
    } else if format < StoreFile.format {
      throw Graph.StoreError(
        .corrupt, "the file has format \(format), which belongs to an unreleased version")
    } else if format > StoreFile.format {
      throw Graph.StoreError(
        .newerFormat, "the file has format \(format); this version reads \(StoreFile.format)")
    }
    // Permission to write was checked before, so the header is the cause.
    if connection.isReadOnly {
      throw Graph.StoreError(.corrupt, "the file's header does not allow writing")
    }
    try configure(connection)
    // The data that every store reads on opening must be readable.
    _ = try connection.integer(.generation)
    if IntegrityCheckMarker.isSet(path) { try checkIntegrity(connection) }
    connection.busyTimeout = WaitLimit(limit.limit).milliseconds
    return connection
  }

  /// Creates the file if there is none, and ensures that it is private. No file that may be open in
  /// this process is opened.
  private func prepare() throws(Graph.StoreError) {
    if FileSafety.exists(path) {
      try FileSafety.check(path)
    } else {
      let left = Self.logSuffixes.filter { FileSafety.exists(path + $0) }
      for suffix in left { try FileSafety.check(path + suffix, isOptional: true) }
      // The remains of a deleted file would be used for the new one.
      if !left.isEmpty { _ = moveAside() }
      try FileSafety.create(path)
    }
    removeIndexWithoutLog()
    // Another process that closes the file deletes them. On Apple platforms, a program that is not a store may
    // leave them.
    for suffix in Self.logSuffixes {
      try FileSafety.check(path + suffix, isOptional: true)
    }
  }

  /// Deletes the index of a log that is not there. Another process that still has both open would
  /// share the index, which describes a log that only that process has.
  ///
  /// SQLite creates the log first, and deletes it last.
  // Safe: the path is a string that the call borrows.
  private func removeIndexWithoutLog() {
    func isLogMissing() -> Bool { !FileSafety.exists(path + "-wal") }
    if isLogMissing(), FileSafety.exists(path + "-shm"), isLogMissing() {
      unsafe unlink(path + "-shm")
    }
  }

  private func create(_ connection: DatabaseConnection) throws(Graph.StoreError) {
    try connection.executeOnce("PRAGMA auto_vacuum=INCREMENTAL")
    try connection.executeOnce("PRAGMA journal_mode=WAL")
    try connection.executeOnce(
      """
      BEGIN IMMEDIATE;
      \(SQL.schema)
      PRAGMA application_id=\(StoreFile.applicationID);
      PRAGMA user_version=\(StoreFile.format);
      COMMIT
      """)
  }

  private func configure(_ connection: DatabaseConnection) throws(Graph.StoreError) {
    try connection.executeOnce("PRAGMA journal_mode=WAL")
    // A commit is in the log when it returns; only a power failure can lose the last ones.
    try connection.executeOnce("PRAGMA synchronous=NORMAL")
    // Checkpoints are flushed to the disk, which on Apple platforms `fsync` does not do. Without effect elsewhere.
    try connection.executeOnce("PRAGMA checkpoint_fullfsync=ON")
    try connection.executeOnce("PRAGMA secure_delete=ON")
    try connection.executeOnce("PRAGMA temp_store=MEMORY")
    try checkTables(connection)
  }

  /// Checks that the file has the tables of a store. Damage may have changed only a name in them, and
  /// no statement fits such a table.
  fileprivate func checkTables(_ connection: DatabaseConnection) throws(Graph.StoreError) {
    let tables = try connection.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    guard SQL.definitions.isSubset(of: tables) else {
      throw Graph.StoreError(.corrupt, "the tables are not those of a store")
    }
  }

  fileprivate func checkIntegrity(_ connection: DatabaseConnection) throws(Graph.StoreError) {
    guard try connection.texts("PRAGMA integrity_check(1)") == ["ok"] else {
      throw Graph.StoreError(.corrupt, "the integrity check failed")
    }
    IntegrityCheckMarker.remove(path)
  }

  /// Deletes the files that ``moveAside()`` has left.
  // Safe: the path is a string that the call borrows.
  static func deleteFilesAside(of path: String) throws(Graph.StoreError) {
    let (directory, name) = (
      (path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent
    )
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw Graph.StoreError(
        .file, "cannot list the store's directory; check the permissions of '\(directory)'",
        cause: error)
    }
    var failures: [String] = []
    for other in names.sorted() where other.hasPrefix("\(name).corrupt-") {
      let rest = other.dropFirst("\(name).corrupt-".count)
      let suffix = rest.drop(while: \.isNumber)
      guard rest.count > suffix.count, suffix.isEmpty || logSuffixes.contains(String(suffix)) else {
        continue
      }
      guard unsafe unlink("\(directory)/\(other)") == 0 || errno == ENOENT else {
        failures.append("'\(other)' (errno \(errno))")
        continue
      }
    }
    guard failures.isEmpty else {
      throw Graph.StoreError(
        .file, "cannot delete \(failures.joined(separator: ", ")); delete it by other means")
    }
  }

  /// Renames the file and its log files to unused names.
  ///
  /// The file is renamed last. If the process is killed before that, the next opening finds the damaged
  /// file again, and not the log of one file next to another one.
  // Safe: the paths are strings that the calls borrow.
  fileprivate func moveAside() -> String {
    let aside = Self.unusedPath(for: path)
    for suffix in Self.logSuffixes + [""] { unsafe rename(path + suffix, aside + suffix) }
    IntegrityCheckMarker.remove(path)
    return aside
  }

  /// A path at which there is neither a file nor any log file.
  static func unusedPath(for path: String) -> String {
    var number = 1
    while (logSuffixes + [""]).contains(where: {
      FileSafety.exists("\(path).corrupt-\(number)\($0)")
    }) {
      number += 1
    }
    return "\(path).corrupt-\(number)"
  }
}

extension SharedFile {
  /// Checks the whole file, and moves it aside if it is damaged, so that it is no longer a store's
  /// file.
  ///
  /// - Returns: nil for an intact file.
  func examine(_ limit: WaitLimit) throws(Graph.StoreError) -> Graph.StoreRecovery? {
    try writeLock.take(limit)
    defer { writeLock.release() }
    guard IntegrityCheckMarker.isSet(location.path) else { return nil }
    let opener = FileOpener(path: location.path, recorder: nil, limit: limit)
    do {
      // Open connections have read pages before they were damaged.
      let connection = try DatabaseConnection(
        path: location.path, mode: .reader, busyTimeout: limit.milliseconds)
      try opener.checkTables(connection)
      try opener.checkIntegrity(connection)
      return nil
    } catch {
      guard error.code == .corrupt else { throw error }
      try location.check()
      location.markReplaced()
      defer { writeLock.processLock.announceCommit() }
      return Graph.StoreRecovery(movedTo: opener.moveAside(), reason: error)
    }
  }
}

extension DatabaseConnection {
  fileprivate func number(_ sql: String) throws(Graph.StoreError) -> Int64 {
    try texts(sql).first.flatMap { Int64($0) } ?? 0
  }
}
