extension Graph.Transaction {
  /// Runs one statement over extension tables.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func execute(
    _ sql: String, _ values: [ExtensionValue] = []
  ) throws(Graph.StoreError) {
    _ = try rows(sql, values) { _ in }
  }

  /// Runs one statement over extension tables and reads its rows.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func rows<T>(
    _ sql: String, _ values: [ExtensionValue] = [], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    try checkOpen()
    guard let connection else { throw .noFile }
    return try connection.rows(sql, values, read)
  }

  /// The row that the last statement inserted.
  package var lastInsertedRow: Int64 { connection?.lastInsertedRow ?? 0 }
}
