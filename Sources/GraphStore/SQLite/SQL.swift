import Foundation

/// Every statement of the store. A connection prepares each at most once.
enum SQL: Int, CaseIterable {
  case begin, beginImmediate, commit, rollback, pinSnapshot
  case dataVersion, checkpoint, emptyLog, givePagesBack
  case allTypes, insertType
  case record, insertRecord, updateRecord, deleteRecord
  case recordsOfType, countOfType, countByType, deleteAll
  case timeOfArrival, noteArrival
  case usedBytes, rowsAfter, givePagesBackSlowly
  case generation, advanceGeneration
  case fieldErrors, insertFieldError, deleteFieldErrors

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
    case .record: "SELECT record, id FROM entity WHERE type = ?1 AND key = ?2"
    // There is a row already where a record was damaged, which reads as none.
    case .insertRecord:
      """
      INSERT INTO entity(type, key, record, changed) VALUES(?1, ?2, ?3, ?4)
      ON CONFLICT(type, key) DO UPDATE SET record = ?3, changed = ?4 RETURNING id
      """
    case .updateRecord: "UPDATE entity SET record = ?2, changed = ?3 WHERE id = ?1"
    case .deleteRecord: "DELETE FROM entity WHERE id = ?1"
    case .recordsOfType: "SELECT key, record FROM entity WHERE type = ?1 ORDER BY id"
    case .countOfType: "SELECT count(*) FROM entity WHERE type = ?1"
    case .countByType:
      "SELECT type.name, count(*) FROM entity JOIN type ON type.id = entity.type GROUP BY entity.type"
    case .deleteAll: "DELETE FROM entity"
    case .timeOfArrival: "SELECT changed FROM entity WHERE type = ?1 AND key = ?2"
    case .noteArrival:
      "UPDATE entity SET changed = ?3 WHERE type = ?1 AND key = ?2 AND changed < ?4"
    case .usedBytes:
      """
      SELECT (page_count - freelist_count) * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size
      """
    case .rowsAfter:
      """
      SELECT entity.id, type.name, entity.key, entity.changed
      FROM entity JOIN type ON type.id = entity.type WHERE entity.id > ?1 ORDER BY entity.id LIMIT ?2
      """
    case .givePagesBackSlowly: "PRAGMA incremental_vacuum(256)"
    case .generation: "SELECT generation FROM lifetime"
    case .advanceGeneration: "UPDATE lifetime SET generation = generation + 1"
    case .fieldErrors: "SELECT entity, field, message, extensions FROM field_error"
    case .insertFieldError:
      """
      INSERT OR REPLACE INTO field_error(entity, field, message, extensions)
      VALUES(?1, ?2, ?3, ?4)
      """
    case .deleteFieldErrors: "DELETE FROM field_error WHERE entity = ?1"
    }
  }

  /// The tables of file format 1.
  static let schema = """
    CREATE TABLE type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE entity(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type INTEGER NOT NULL,
      key TEXT NOT NULL,
      record TEXT NOT NULL,
      changed INTEGER NOT NULL,
      UNIQUE(type, key)) STRICT;
    CREATE TABLE field_error(
      entity TEXT NOT NULL, field TEXT NOT NULL, message TEXT NOT NULL, extensions TEXT NOT NULL,
      PRIMARY KEY(entity, field)) STRICT, WITHOUT ROWID;
    CREATE TABLE side_table(name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE lifetime(generation INTEGER NOT NULL) STRICT;
    INSERT INTO lifetime VALUES(0);
    """

  /// The definitions of the tables, as SQLite gives them back.
  static let definitions = Set(
    schema.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { $0.hasPrefix("CREATE ") })
}
