extension Graph.Transaction {
  /// Runs one statement over side tables and reads its rows.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  @discardableResult
  package func side<T>(
    _ sql: String, _ values: [SideValue] = [], _ read: (SideRow) -> T = { _ in }
  ) throws(Graph.StoreError) -> [T] {
    try checkOpen()
    guard let connection else { throw .noFile }
    return try connection.side(sql, values, read)
  }

  /// The row that the last statement inserted.
  package var lastSideRow: Int64 { connection?.lastInsertedRow ?? 0 }
}
