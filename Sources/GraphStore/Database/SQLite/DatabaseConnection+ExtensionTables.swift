// Tables of another module of the package in the store's file. The store's single writer writes
// them, so that one transaction can change them and objects.

extension DatabaseConnection {
  /// Runs a statement without rows. The connection keeps it, prepared.
  func execute(
    _ sql: String, _ values: [ExtensionValue]
  ) throws(Graph.StoreError) {
    _ = try rows(sql, values) { _ in }
  }

  /// The rows of such a statement.
  func rows<T>(
    _ sql: String, _ values: [ExtensionValue], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    let statement = try prepared(extensionSQL: sql)
    defer { statement.reset() }
    for (position, value) in values.enumerated() {
      switch value {
      case .integer(let value): statement.bind(value, at: Int32(position + 1))
      case .text(let value): statement.bind(value, at: Int32(position + 1))
      }
    }
    var rows: [T] = []
    while try statement.step() { rows.append(read(ExtensionRow(statement: statement))) }
    return rows
  }
}

extension Graph.StoreError {
  static var noFile: Graph.StoreError {
    Graph.StoreError(
      .file, "the store is in memory; create one with a file, with Graph.Store(schema:file:)")
  }
}
