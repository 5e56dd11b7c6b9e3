import GraphQLRuntime

// Tables of another module of the package in the store's file. The store's single writer writes
// them, so that one transaction can change them and objects.

/// A value of a side table. There are no nulls: the reader knows the type of each column.
package enum SideValue: Sendable, Hashable {
  case integer(Int64)
  case text(String)
}

/// A statement's current row; valid only during the call that receives it.
package struct SideRow {
  let statement: Statement

  package func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  package func text(_ column: Int32) -> String { statement.text(column) }
}

extension Transaction {
  /// Runs one statement over side tables and reads its rows.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  @discardableResult
  package func side<T>(
    _ sql: String, _ values: [SideValue] = [], _ read: (SideRow) -> T = { _ in }
  ) throws(StoreError) -> [T] {
    try checkOpen()
    guard let connection else { throw .noFile }
    return try connection.side(sql, values, read)
  }

  /// The row that the last statement inserted.
  package var lastSideRow: Int64 { connection?.lastInsertedRow ?? 0 }
}

extension Store {
  /// Reads the committed side tables.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func side<T>(
    _ sql: String, _ values: [SideValue] = [], _ read: (SideRow) -> T
  ) throws(StoreError) -> [T] {
    guard let file = committed.file else { throw .noFile }
    return try file.pool.read { connection throws(StoreError) in
      try connection.side(sql, values, read)
    }
  }

  /// The path of the store's file, without symbolic links, for files next to it.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func sidePath() throws(StoreError) -> String {
    guard let file = committed.file else { throw .noFile }
    return file.path
  }

  /// The attributes of a type in the schema table other than its fields, by the names of
  /// `graphql-generator.json`.
  package func storageAttributes(ofType name: String) -> [String: String] {
    committed.policies.schema.storageAttributes(ofType: name)
  }

  /// Runs `body` on the writer's queue in a transaction; `completion` is called there afterwards.
  package func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    writer.perform(body, completion: completion)
  }
}

extension Connection {
  @discardableResult
  func side<T>(
    _ sql: String, _ values: [SideValue], _ read: (SideRow) -> T = { _ in }
  ) throws(StoreError) -> [T] {
    let statement = try prepared(side: sql)
    defer { statement.reset() }
    for (position, value) in values.enumerated() {
      switch value {
      case .integer(let value): statement.bind(value, at: Int32(position + 1))
      case .text(let value): statement.bind(value, at: Int32(position + 1))
      }
    }
    var rows: [T] = []
    while try statement.step() { rows.append(read(SideRow(statement: statement))) }
    return rows
  }
}

extension StoreError {
  fileprivate static var noFile: StoreError {
    StoreError(.file, "the store has no file to keep a table in")
  }
}
