import GraphJSON
import GraphQLRuntime
import GraphStorage

/// A record and its row.
struct StoredRow {
  let record: RecordText
  let id: Int64
}

// Safe: SQLite and records keep bytes valid during the call, which copies them, or binds them until
// it ends.
extension DatabaseConnection {
  /// The record of an entity. A damaged one counts as missing.
  func record(type: Int64, key: String) throws(Graph.StoreError) -> JSONDocument? {
    try withRecord(type: type, key: key) { statement in
      statement.json(type)
    } ?? nil
  }

  /// Adds the text of an entity's record, if there is an intact one.
  func append(
    type: Int64, key: String, to records: inout GraphQL.StoredRecords
  ) throws(Graph.StoreError) {
    try withRecord(type: type, key: key) { statement in
      _ = unsafe statement.withRecord(type) { unsafe records.append($0) }
    }
  }

  /// Adds the texts of a type's records in the order of their insertion, without damaged ones.
  func append(
    type: Int64, offset: Int, limit: Int?, to records: inout GraphQL.StoredRecords
  ) throws(Graph.StoreError) {
    let statement = try prepared(.pageOfType)
    statement.bind(type, at: 1)
    statement.bind(Int64(limit ?? -1), at: 2)
    statement.bind(Int64(offset), at: 3)
    defer { statement.reset() }
    while try statement.step() {
      _ = unsafe statement.withRecord(type) { unsafe records.append($0, expected: limit ?? .max) }
    }
  }

  /// The row of an entity, as the writer keeps it.
  func row(type: Int64, key: String) throws(Graph.StoreError) -> StoredRow? {
    try withRecord(type: type, key: key) { statement in
      unsafe StoredRow(
        record: statement.withRecord(type) { unsafe RecordText($0.bindMemory(to: UInt8.self)) }
          ?? .damaged,
        id: statement.integer(2))
    }
  }

  private func withRecord<T>(
    type: Int64, key: String, _ read: (Statement) -> T
  ) throws(Graph.StoreError) -> T? {
    let statement = try prepared(.record)
    statement.bind(type, at: 1)
    return try statement.withBound(key, at: 2) { () throws(Graph.StoreError) in
      defer { statement.reset() }
      return try statement.step() ? read(statement) : nil
    }
  }

  func forEachRecord(
    type: Int64, _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) {
    try forEachRecord(.recordsOfType, type) { statement, json throws(Graph.StoreError) in
      try body(statement.text(2), json)
    }
  }

  /// Calls `body` with the number and the record of every readable row of a type.
  func forEachRow(
    type: Int64, _ body: (Int64, JSONDocument) throws(Graph.StoreError) -> Void
  ) throws(Graph.StoreError) {
    try forEachRecord(.rowsOfType, type) { statement, json throws(Graph.StoreError) in
      try body(statement.integer(2), json)
      return true
    }
  }

  /// - Parameter sql: a statement over one type that returns records with their checksums.
  private func forEachRecord(
    _ sql: SQL, _ type: Int64, _ body: (Statement, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) {
    let statement = try prepared(sql)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    while try statement.step() {
      guard let json = statement.json(type) else { continue }
      guard try body(statement, json) else { return }
    }
  }

  /// Whether there is no row of a type.
  func isEmpty(type: Int64) throws(Graph.StoreError) -> Bool {
    let statement = try prepared(.anyOfType)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    return !(try statement.step())
  }

  func count(type: Int64) throws(Graph.StoreError) -> Int {
    let statement = try prepared(.countOfType)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// - Parameter changed: nil if no response has contained the record.
  func update(
    id: Int64, type: Int64, record: RecordText, changed: Int64?
  ) throws(Graph.StoreError) {
    let statement = try prepared(changed == nil ? .updateRecordOnly : .updateRecord)
    statement.bind(id, at: 1)
    if let changed { statement.bind(changed, at: 4) }
    try unsafe record.withBytes { record throws(Graph.StoreError) in
      unsafe statement.bind(RecordChecksum.of(UnsafeRawBufferPointer(record), type: type), at: 3)
      try unsafe statement.withBound(record, at: 2) { () throws(Graph.StoreError) in
        try statement.runAndReset()
      }
    }
  }

  func delete(id: Int64) throws(Graph.StoreError) {
    let statement = try prepared(.deleteRecord)
    statement.bind(id, at: 1)
    try statement.runAndReset()
  }
}

// Safe: SQLite keeps the bytes valid until the next step, and the checksum reads their number.
extension Statement {
  /// Calls `body` with the record of a row that starts with a record and its checksum; the record
  /// is valid only during the call. Nil for a damaged one or one of another type.
  func withRecord<T>(_ type: Int64, _ body: (UnsafeRawBufferPointer) -> T) -> T? {
    let sum = integer(1)
    return unsafe withBytes(0) { unsafe RecordChecksum.of($0, type: type) == sum ? body($0) : nil }
  }

  /// The record of such a row; nil for a damaged one or one of another type.
  func json(_ type: Int64) -> JSONDocument? {
    unsafe withRecord(type, JSONDocument.init(record:)) ?? nil
  }
}

/// New rows that are inserted together: half of SQLite's work for a row is done once per statement.
// Safe: the ranges are of `text`, which does not change while a statement uses its bytes.
@safe struct RowBatch: ~Copyable {
  private struct Row {
    let type: Int64
    let key: Range<Int>
    let record: Range<Int>
    let changed: Int64
  }

  /// The keys and the records one after another, so that they do not move until they are inserted.
  private var text = GraphQL.ByteBuffer(capacity: 0)
  private var rows: [Row] = []

  var count: Int { rows.count }

  /// - Parameter changed: when a response contained the record, 0 if none has.
  mutating func append(type: Int64, key: String, record: RecordText, changed: Int64) {
    let start = text.count
    text.append(key)
    let end = text.count
    unsafe record.withBytes { unsafe text.append($0) }
    rows.append(Row(type: type, key: start..<end, record: end..<text.count, changed: changed))
  }

  mutating func removeAll() {
    text.remove(after: 0)
    rows.removeAll(keepingCapacity: true)
  }

  /// Inserts the rows, with one statement if the batch is full.
  ///
  /// - Parameter note: receives each row's position in the batch and its number.
  func insert(
    on connection: DatabaseConnection, _ note: (Int, Int64) throws(Graph.StoreError) -> Void
  ) throws(Graph.StoreError) {
    let size = rows.count == SQL.rowsPerInsertion ? rows.count : 1
    for start in stride(from: 0, to: rows.count, by: size) {
      let statement = try connection.prepared(size == 1 ? .insertRecord : .insertRecords)
      for index in 0..<size { bind(rows[start + index], to: statement, at: Int32(index * 5)) }
      do { try statement.runAndReset() } catch { throw error.asDamage }
      // A statement numbers its rows one after another.
      let first = connection.lastInsertedRow - Int64(size - 1)
      for index in 0..<size { try note(start + index, first + Int64(index)) }
    }
  }

  private func bind(_ row: Row, to statement: Statement, at position: Int32) {
    let record = unsafe UnsafeBufferPointer(rebasing: text.bytes[row.record])
    statement.bind(row.type, at: position + 1)
    unsafe statement.bind(
      lent: UnsafeBufferPointer(rebasing: text.bytes[row.key]), at: position + 2)
    unsafe statement.bind(lent: record, at: position + 3)
    unsafe statement.bind(
      RecordChecksum.of(UnsafeRawBufferPointer(record), type: row.type), at: position + 4)
    statement.bind(row.changed, at: position + 5)
  }
}

/// How old the recorded time of an entity's last response may be before the row is updated. More
/// recent times are only in memory, so that not every response causes a write.
enum Freshness {
  /// How far the clock may be set back without an effect, in milliseconds.
  static let correction: Int64 = 60_000

  /// How much earlier than the last response the recorded time may be, in milliseconds. So an age is
  /// never too low, and too high by at most this.
  static func resolution(_ maximumAge: Duration?) -> Int64 {
    min(60_000, (maximumAge?.wholeMilliseconds ?? .max) / 2)
  }
}
