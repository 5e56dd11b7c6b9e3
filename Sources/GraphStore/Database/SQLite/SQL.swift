import Foundation

/// Every statement of the store. A connection prepares each at most once.
enum SQL: Int, CaseIterable {
  case begin, beginImmediate, commit, rollback, pinSnapshot
  case dataVersion, checkpoint, emptyLog, givePagesBack
  case allTypes, insertType
  case record, insertRecord, insertRecords, updateRecord, updateRecordOnly, deleteRecord
  case recordsOfType, pageOfType, rowsOfType, allRows, anyOfType, countOfType, countByType
  case indexesOfType, index, insertIndex, deleteIndex
  case insertIndexedValue, deleteIndexedValue, deleteAnyIndexedValue, deleteIndexedValues
  case recordsInRange, recordsAscending, recordsDescending
  case timeOfArrival, noteArrival
  case usedBytes, rowsAfter, givePagesBackSlowly
  case generation, advanceGeneration, hasTable
  case fieldErrors, insertFieldError, deleteFieldErrors

  /// The number of rows of ``insertRecords``.
  static let rowsPerInsertion = 8

  var text: String {
    switch self {
    case .begin: "BEGIN"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .pinSnapshot: "SELECT 1 FROM type LIMIT 1"
    case .dataVersion: "PRAGMA data_version"
    case .checkpoint: "PRAGMA wal_checkpoint(PASSIVE)"
    case .emptyLog: "PRAGMA wal_checkpoint(TRUNCATE)"
    case .givePagesBack: "PRAGMA incremental_vacuum"
    case .allTypes: "SELECT id, name FROM type"
    case .insertType: "INSERT INTO type(name) VALUES(?1)"
    case .record: "SELECT record, sum, id FROM entity WHERE type = ?1 AND key = ?2"
    case .insertRecord: Self.insertion(ofRows: 1)
    case .insertRecords: Self.insertion(ofRows: Self.rowsPerInsertion)
    case .updateRecord: "UPDATE entity SET record = ?2, sum = ?3, changed = ?4 WHERE id = ?1"
    case .updateRecordOnly: "UPDATE entity SET record = ?2, sum = ?3 WHERE id = ?1"
    case .deleteRecord: "DELETE FROM entity WHERE id = ?1"
    case .recordsOfType: "SELECT record, sum, key FROM entity WHERE type = ?1 ORDER BY id"
    case .pageOfType:
      "SELECT record, sum FROM entity WHERE type = ?1 ORDER BY id LIMIT ?2 OFFSET ?3"
    case .countOfType: "SELECT count(*) FROM entity WHERE type = ?1"
    case .countByType:
      "SELECT type.name, count(*) FROM entity JOIN type ON type.id = entity.type GROUP BY entity.type"
    case .rowsOfType: "SELECT record, sum, id FROM entity WHERE type = ?1"
    case .allRows: "SELECT record, sum, id, type, key FROM entity"
    case .anyOfType: "SELECT 1 FROM entity WHERE type = ?1 LIMIT 1"
    case .indexesOfType: "SELECT id, path, kind FROM field WHERE type = ?1"
    case .index: "SELECT id FROM field WHERE type = ?1 AND path = ?2 AND kind = ?3"
    case .insertIndex: "INSERT INTO field(type, path, kind) VALUES(?1, ?2, ?3)"
    case .deleteIndex: "DELETE FROM field WHERE id = ?1"
    case .insertIndexedValue:
      "INSERT OR IGNORE INTO field_value(field, value, entity) VALUES(?1, ?2, ?3)"
    case .deleteIndexedValue:
      "DELETE FROM field_value WHERE field = ?1 AND value = ?2 AND entity = ?3"
    case .deleteAnyIndexedValue: "DELETE FROM field_value WHERE field = ?1 AND entity = ?2"
    case .deleteIndexedValues: "DELETE FROM field_value WHERE field = ?1"
    case .recordsInRange: Self.records(orderedBy: "v.entity")
    case .recordsAscending: Self.records(orderedBy: "v.value, v.entity")
    case .recordsDescending: Self.records(orderedBy: "v.value DESC, v.entity")
    case .timeOfArrival: "SELECT changed FROM entity WHERE type = ?1 AND key = ?2"
    case .noteArrival:
      """
      UPDATE entity SET changed = ?3
      WHERE type = ?1 AND key = ?2 AND (changed < ?4 OR changed > ?3)
      """
    case .usedBytes:
      """
      SELECT (page_count - freelist_count) * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size
      """
    case .rowsAfter:
      """
      SELECT entity.id, type.name, entity.key, entity.changed,
        CASE WHEN instr(type.name, '.') THEN instr(entity.record, '"&segments":') ELSE 1 END
      FROM entity JOIN type ON type.id = entity.type WHERE entity.id > ?1 ORDER BY entity.id LIMIT ?2
      """
    case .givePagesBackSlowly: "PRAGMA incremental_vacuum(256)"
    case .generation: "SELECT generation FROM lifetime"
    case .advanceGeneration: "UPDATE lifetime SET generation = generation + 1"
    case .hasTable: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
    case .fieldErrors: "SELECT entity, field, message, extensions FROM field_error"
    case .insertFieldError:
      """
      INSERT OR REPLACE INTO field_error(entity, field, message, extensions)
      VALUES(?1, ?2, ?3, ?4)
      """
    case .deleteFieldErrors: "DELETE FROM field_error WHERE entity = ?1"
    }
  }

  /// Without `OR FAIL`, SQLite would keep copies of the pages in case a later row of the statement
  /// fails; the store undoes the whole transaction instead.
  private static func insertion(ofRows count: Int) -> String {
    let row = "(?, ?, ?, ?, ?)"
    return "INSERT OR FAIL INTO entity(type, key, record, sum, changed) VALUES"
      + Array(repeating: row, count: count).joined(separator: ", ")
  }

  /// The records whose value of a field is in a range, by the index of the field.
  private static func records(orderedBy order: String) -> String {
    """
    SELECT entity.record, entity.sum, entity.key
    FROM field_value v CROSS JOIN entity ON entity.id = v.entity
    WHERE v.field = ?1 AND v.value >= ?2 AND v.value <= ?3 ORDER BY \(order)
    """
  }

  /// The tables of file format 4.
  static let schema = """
    CREATE TABLE type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE entity(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type INTEGER NOT NULL,
      key TEXT NOT NULL,
      sum INTEGER NOT NULL,
      record TEXT NOT NULL,
      changed INTEGER NOT NULL,
      UNIQUE(type, key)) STRICT;
    CREATE INDEX entity_by_type ON entity(type);
    CREATE TABLE field(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type INTEGER NOT NULL,
      path TEXT NOT NULL,
      kind TEXT NOT NULL,
      UNIQUE(type, path)) STRICT;
    CREATE TABLE field_value(
      field INTEGER NOT NULL,
      value ANY NOT NULL,
      entity INTEGER NOT NULL,
      PRIMARY KEY(field, value, entity)) STRICT, WITHOUT ROWID;
    CREATE TABLE field_error(
      entity TEXT NOT NULL, field TEXT NOT NULL, message TEXT NOT NULL, extensions TEXT NOT NULL,
      PRIMARY KEY(entity, field)) STRICT, WITHOUT ROWID;
    CREATE TABLE side_table(name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE lifetime(generation INTEGER NOT NULL) STRICT;
    INSERT INTO lifetime VALUES(0);
    """

  /// The definitions of the tables, as SQLite returns them, including its own table of row numbers,
  /// which an integrity check does not check.
  static let definitions = Set(
    schema.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { $0.hasPrefix("CREATE ") } + ["CREATE TABLE sqlite_sequence(name,seq)"])
}
