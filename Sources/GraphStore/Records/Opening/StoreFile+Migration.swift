import Foundation
import GraphQLRuntime
import GraphStorage

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
        plan, notes: notes, schema: policies.schema, typeNumbers: typeNumbers, on: connection)
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
      for (name, number) in try typeNumbers.all(on: connection) {
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
