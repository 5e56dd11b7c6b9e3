import GraphQLRuntime

// Another module's data in the store's file is deleted with the user's. The file itself lists those
// tables, so that they are emptied even if that module is not running.

extension Graph.Transaction {
  /// Registers extension tables, which a logout then empties.
  ///
  /// - Parameter unsentWork: a query for the report, with the columns of ``UnsentWork``.
  package func register(extensionTables: [String], unsentWork: String) throws(Graph.StoreError) {
    for table in extensionTables {
      try execute("INSERT OR IGNORE INTO side_table(name) VALUES(?1)", [.text(table)])
    }
    let view = "CREATE VIEW unsent_work AS \(unsentWork)"
    let present = try rows("SELECT sql FROM sqlite_schema WHERE name = 'unsent_work'") {
      $0.text(0)
    }
    guard present != [view] else { return }
    try execute("DROP VIEW IF EXISTS unsent_work")
    try execute(view)
  }

  /// Empties the extension tables.
  ///
  /// - Returns: the work that was never sent.
  func clearExtensionTables() throws(Graph.StoreError) -> [Graph.UnsentWork] {
    // The expected effects of dropped work will not happen.
    try removeOverlays()
    guard let connection else { return [] }
    let tables = try connection.texts(
      """
      SELECT '"' || replace(name, '"', '""') || '"' FROM sqlite_schema
      WHERE type = 'table' AND name IN (SELECT name FROM side_table)
      """)
    guard !tables.isEmpty else { return [] }
    let unsent = try connection.unsentWork()
    for table in tables { try connection.executeOnce("DELETE FROM \(table)") }
    return unsent
  }
}
