import GraphQLRuntime
import GraphStorage

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
