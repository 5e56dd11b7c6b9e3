import Foundation
import GRDB

/// The same table through GRDB, with record types, as its guide recommends.
struct GRDBStore: Sendable {
  private let pool: DatabasePool

  init(path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous=NORMAL")
      try db.execute(sql: "PRAGMA secure_delete=ON")
      try db.execute(sql: "PRAGMA temp_store=MEMORY")
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE entity(id INTEGER PRIMARY KEY AUTOINCREMENT, type INTEGER NOT NULL,
            key TEXT NOT NULL, record TEXT NOT NULL, changed INTEGER NOT NULL, UNIQUE(type, key))
            STRICT
          """)
      try db.execute(sql: "CREATE INDEX entity_by_type ON entity(type)")
    }
  }

  func upsert(_ rows: [(key: String, record: String)]) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO entity(type, key, record, changed) VALUES(1, ?, ?, ?)
          ON CONFLICT(type, key) DO UPDATE SET record = excluded.record, changed = excluded.changed
          """)
      for row in rows {
        try statement.execute(arguments: [row.key, row.record, RawSQLite.arrival])
      }
    }
  }

  func read(_ key: String) throws -> String? {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT record FROM entity WHERE type = 1 AND key = ?")
      return try String.fetchOne(statement, arguments: [key])
    }
  }

  func page(offset: Int, limit: Int) throws -> [String] {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT record FROM entity WHERE type = 1 ORDER BY id LIMIT ? OFFSET ?")
      return try String.fetchAll(statement, arguments: [limit, offset])
    }
  }
}
