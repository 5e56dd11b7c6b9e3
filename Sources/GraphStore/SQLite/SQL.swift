/// Every statement of the store. A connection prepares each at most once.
enum SQL: Int, CaseIterable {
  case begin, beginImmediate, commit, rollback, pinSnapshot
  case dataVersion, checkpoint, emptyLog, givePagesBack
  case allTypes, insertType
  case record, insertRecord, updateRecord, deleteRecord
  case recordsOfType, countOfType, countByType, deleteAll

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
    case .insertRecord: "INSERT INTO entity(type, key, record, changed) VALUES(?1, ?2, ?3, ?4)"
    case .updateRecord: "UPDATE entity SET record = ?2, changed = ?3 WHERE id = ?1"
    case .deleteRecord: "DELETE FROM entity WHERE id = ?1"
    case .recordsOfType: "SELECT key, record FROM entity WHERE type = ?1 ORDER BY id"
    case .countOfType: "SELECT count(*) FROM entity WHERE type = ?1"
    case .countByType:
      "SELECT type.name, count(*) FROM entity JOIN type ON type.id = entity.type GROUP BY entity.type"
    case .deleteAll: "DELETE FROM entity"
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
    """
}
