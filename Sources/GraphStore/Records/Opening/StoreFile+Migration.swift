import Foundation
import GraphQLRuntime
import GraphStorage

extension DatabaseConnection {
  /// The renames that were applied to the file, with the report; nil if there is no such table.
  func appliedRenames() throws(Graph.StoreError) -> (renames: AppliedRenames, report: String)? {
    guard try hasTable("schema_rename") else { return nil }
    return try rows("SELECT renames, report FROM schema_rename", []) {
      (renames: AppliedRenames($0.text(0)), report: $0.text(1))
    }.first
  }

  fileprivate func set(_ renames: AppliedRenames, report: String) throws(Graph.StoreError) {
    try executeOnce(DeclaredRenames.table)
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

extension StoreFile {
  /// Whether the renames were applied to the file.
  func isMigrated(_ declared: DeclaredRenames, on connection: DatabaseConnection) throws(Graph
    .StoreError)
    -> Bool
  {
    try (connection.appliedRenames()?.renames ?? .none).isDone(for: declared)
  }

  /// Applies renames in the open transaction, and records that.
  func migrate(
    _ renames: [Graph.SchemaRename], _ policies: Policies, on connection: DatabaseConnection
  ) throws(Graph.StoreError) {
    var notes = MigrationNotes()
    let declared = DeclaredRenames(renames)
    let found = try connection.appliedRenames()?.renames ?? .none
    let states = found.states(in: declared)
    let plan = RenamePlan(renames, from: states, policies, notes: &notes)
    if !plan.isEmpty {
      var migration = Migration(
        plan, notes: notes, schema: policies.schema, types: types, on: connection)
      try migration.run()
      notes = migration.notes
      // The dropped indexes are created and filled again with the newly declared ones.
      for type in migration.touchedTypes {
        for index in try connection.indexNumbers(type: type) { try connection.dropIndex(index) }
      }
    }
    let report = (try? JSONEncoder().encode(notes.report(isNew: false))) ?? Data()
    try connection.set(
      found.migrated(by: declared, isComplete: !plan.isAmbiguous),
      report: String(decoding: report, as: UTF8.self))
  }

  /// The report of the file, with the types that the schema does not have; nil if there is nothing
  /// to report.
  func migrationReport(_ policies: Policies, isNew: Bool) throws(Graph.StoreError) -> Graph
    .MigrationReport?
  {
    try pool.read { connection throws(Graph.StoreError) in
      let stored = try connection.appliedRenames().flatMap {
        try? JSONDecoder().decode(Graph.MigrationReport.self, from: Data($0.report.utf8))
      }
      var notes = MigrationNotes()
      for (name, number) in try types.all(on: connection) {
        let type = GraphQL.EntityKey.policyTypeName(name)
        guard policies.schema.storedKind(ofType: type) == nil else { continue }
        let count = try connection.count(type: number)
        if count > 0 { notes.note(name, .typeNotInSchema, count: count) }
      }
      let unknown = notes.report(isNew: isNew).problems
      let problems = (stored?.problems ?? []) + unknown
      guard stored != nil || !problems.isEmpty else { return nil }
      return Graph.MigrationReport(
        changedRows: stored?.changedRows ?? 0,
        problems: problems.sorted { $0.coordinate < $1.coordinate }, isNew: isNew)
    }
  }
}
