extension Graph.Transaction {
  /// Runs one statement over extension tables and reads its rows.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  @discardableResult
  package func query<T>(
    _ sql: String, _ values: [ExtensionValue] = [], _ read: (ExtensionRow) -> T = { _ in }
  ) throws(Graph.StoreError) -> [T] {
    try checkOpen()
    guard let connection else { throw .noFile }
    return try connection.query(sql, values, read)
  }

  /// The row that the last statement inserted.
  package var lastInsertedRow: Int64 { connection?.lastInsertedRow ?? 0 }
}
