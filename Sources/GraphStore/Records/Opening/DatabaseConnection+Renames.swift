extension DatabaseConnection {
  private static let renamesTable = """
    CREATE TABLE IF NOT EXISTS schema_rename(renames TEXT NOT NULL, report TEXT NOT NULL) STRICT
    """

  /// The renames that were applied to the file, with the report; nil if there is no such table.
  func appliedRenames() throws(Graph.StoreError) -> (renames: AppliedRenames, report: String)? {
    guard try hasTable("schema_rename") else { return nil }
    return try rows("SELECT renames, report FROM schema_rename", []) {
      (renames: AppliedRenames($0.text(0)), report: $0.text(1))
    }.first
  }

  /// Records the renames that were applied to the file.
  func set(_ renames: AppliedRenames, report: String) throws(Graph.StoreError) {
    try executeOnce(Self.renamesTable)
    try execute("DELETE FROM schema_rename", [])
    try execute(
      "INSERT INTO schema_rename(renames, report) VALUES(?1, ?2)",
      [.text(renames.text), .text(report)])
  }

  /// Deletes the report, for a file without contents.
  func forgetMigrationReport() throws(Graph.StoreError) {
    guard let found = try appliedRenames() else { return }
    try set(found.renames, report: "")
  }

  /// Notes that a program with other renames writes. Called in a transaction, when others have
  /// written.
  func noteWrites(with declared: DeclaredRenames) throws(Graph.StoreError) {
    guard let found = try appliedRenames() else { return }
    let changed = found.renames.written(by: declared)
    if changed != found.renames { try set(changed, report: "") }
  }
}
