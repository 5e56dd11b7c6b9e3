import CSQLiteRaw

/// The same tables in plain SQLite, used as a C program would: the lower bound for comparison.
///
/// `@unchecked Sendable` is correct since one thread at a time uses it.
final class RawSQLite: @unchecked Sendable {
  /// A time in milliseconds, as the store writes one: a small number would take five bytes less, so
  /// that seven rows would fit a page instead of six.
  static let arrival: Int64 = 1_790_000_000_000

  private var handle: OpaquePointer?
  private var insert: OpaquePointer?
  private var update: OpaquePointer?
  private var select: OpaquePointer?
  private var selectPage: OpaquePointer?
  /// The pages in the log after the last commit.
  private var logPages = 0
  private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(path: String) {
    sqlite3_open_v2(
      path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    // The store's settings for its file.
    run("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
    run("PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=0;")
    run(
      """
      CREATE TABLE entity(id INTEGER PRIMARY KEY AUTOINCREMENT, type INTEGER NOT NULL,
        key TEXT NOT NULL, record TEXT NOT NULL, changed INTEGER NOT NULL, UNIQUE(type, key)) STRICT;
      CREATE INDEX entity_by_type ON entity(type)
      """)
    sqlite3_wal_hook(
      handle,
      { raw, _, _, pages in
        Unmanaged<RawSQLite>.fromOpaque(raw!).takeUnretainedValue().logPages = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    insert = prepare("INSERT INTO entity(type, key, record, changed) VALUES(?1, ?2, ?3, ?4)")
    update = prepare("UPDATE entity SET record = ?2, changed = ?3 WHERE type = 1 AND key = ?1")
    select = prepare("SELECT record FROM entity WHERE type = ?1 AND key = ?2")
    selectPage = prepare("SELECT key, record FROM entity WHERE type = ?1 ORDER BY id LIMIT ?2")
  }

  private func prepare(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    precondition(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    return statement
  }

  func run(_ sql: String) {
    precondition(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  func insert(_ rows: [(key: [UInt8], record: [UInt8])]) {
    forEach(rows, insert) { row in
      sqlite3_bind_int64(insert, 1, 1)
      bind(row.key, insert, 2)
      bind(row.record, insert, 3)
      sqlite3_bind_int64(insert, 4, Self.arrival)
    }
  }

  func update(_ rows: [(key: [UInt8], record: [UInt8])]) {
    forEach(rows, update) { row in
      bind(row.key, update, 1)
      bind(row.record, update, 2)
      sqlite3_bind_int64(update, 3, Self.arrival + 1)
    }
  }

  /// Runs a statement for each row, in one transaction.
  @inline(__always)
  private func forEach(
    _ rows: [(key: [UInt8], record: [UInt8])], _ statement: OpaquePointer?,
    _ bind: ((key: [UInt8], record: [UInt8])) -> Void
  ) {
    run("BEGIN IMMEDIATE")
    for row in rows {
      bind(row)
      sqlite3_step(statement)
      sqlite3_reset(statement)
    }
    run("COMMIT")
  }

  /// One row in a transaction of its own; the log is moved into the file in the same way as by the
  /// store.
  func updateOne(_ row: (key: [UInt8], record: [UInt8])) {
    update([row])
    if logPages > 1000 { run("PRAGMA wal_checkpoint(PASSIVE)") }
  }

  func read(_ key: [UInt8]) -> [UInt8] {
    sqlite3_bind_int64(select, 1, 1)
    bind(key, select, 2)
    defer { sqlite3_reset(select) }
    guard sqlite3_step(select) == SQLITE_ROW, let bytes = sqlite3_column_blob(select, 0) else {
      return []
    }
    return Array(
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(select, 0))))
  }

  func page(limit: Int) -> [(key: [UInt8], record: [UInt8])] {
    sqlite3_bind_int64(selectPage, 1, 1)
    sqlite3_bind_int64(selectPage, 2, Int64(limit))
    defer { sqlite3_reset(selectPage) }
    var rows: [(key: [UInt8], record: [UInt8])] = []
    while sqlite3_step(selectPage) == SQLITE_ROW {
      rows.append((bytes(0), bytes(1)))
    }
    return rows
  }

  private func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(selectPage, column) else { return [] }
    let count = Int(sqlite3_column_bytes(selectPage, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func bind(_ bytes: [UInt8], _ statement: OpaquePointer?, _ position: Int32) {
    bytes.withUnsafeBytes {
      _ = sqlite3_bind_text(
        statement, position, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count),
        transient)
    }
  }
}
