import Foundation
import GraphQLRuntime

/// Which renames all that is in a file has been through, with the report of that time.
///
/// The table is made by the first program that declares renames. A store that writes to a file whose mark is
/// not of its own renames takes the mark away: the next program that declares some carries them out again.
/// So one that has an older schema may write at any time.
struct MigrationMark: Sendable {
  static let table = """
    CREATE TABLE IF NOT EXISTS schema_rename(renames TEXT NOT NULL, report TEXT NOT NULL) STRICT
    """

  /// What ``init(_:)`` makes of no renames, and what a file without the table has.
  let text: String

  init(_ renames: [SchemaRename]) {
    text = renames.map(\.description).joined(separator: "\n")
  }

  /// What stands in a file for renames that were carried out before other programs wrote.
  fileprivate static let none = "?"
}

extension Connection {
  /// The mark of the file; nil where there is no such table.
  func migrationMark() throws(StoreError) -> (renames: String, report: String)? {
    guard try integer(.hasMigrationMark) == 1 else { return nil }
    return try side("SELECT renames, report FROM schema_rename", []) {
      (renames: $0.text(0), report: $0.text(1))
    }.first
  }

  fileprivate func set(_ mark: String, report: String) throws(StoreError) {
    try execute(MigrationMark.table)
    try side("DELETE FROM schema_rename", [])
    try side(
      "INSERT INTO schema_rename(renames, report) VALUES(?1, ?2)", [.text(mark), .text(report)])
  }

  /// Forgets the report, for a file of which nothing is left.
  func forgetMigrationReport() throws(StoreError) {
    guard let found = try migrationMark() else { return }
    try set(found.renames, report: "")
  }

  /// Takes the mark away if it is of other renames. Called in a transaction, when others have written.
  func claim(_ mark: MigrationMark) throws(StoreError) {
    guard let found = try migrationMark(), found.renames != mark.text,
      found.renames != MigrationMark.none
    else { return }
    try set(MigrationMark.none, report: "")
  }
}

extension StoreFile {
  /// Whether the file has been through the renames.
  func isMigrated(_ mark: MigrationMark, on connection: Connection) throws(StoreError) -> Bool {
    try (connection.migrationMark()?.renames ?? "") == mark.text
  }

  /// Carries out renames in the open transaction, and makes their mark.
  func migrate(
    _ renames: [SchemaRename], _ policies: Policies, on connection: Connection
  ) throws(StoreError) {
    var notes = MigrationNotes()
    let plan = RenamePlan(renames, policies, notes: &notes)
    if !plan.isEmpty {
      var migration = Migration(
        plan, notes: notes, schema: policies.schema, types: types, on: connection)
      try migration.run()
      notes = migration.notes
      // They are filled with those that are newly declared.
      for type in migration.touchedTypes {
        for index in try connection.indexNumbers(type: type) { try connection.dropIndex(index) }
      }
    }
    let report = (try? JSONEncoder().encode(notes.report(isNew: false))) ?? Data()
    try connection.set(
      MigrationMark(renames).text, report: String(decoding: report, as: UTF8.self))
  }

  /// The report that the file has, with the types that the schema does not have; nil where there is nothing
  /// to report.
  func migrationReport(_ policies: Policies, isNew: Bool) throws(StoreError) -> MigrationReport? {
    try pool.read { connection throws(StoreError) in
      let stored = try connection.migrationMark().flatMap {
        try? JSONDecoder().decode(MigrationReport.self, from: Data($0.report.utf8))
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
      return MigrationReport(
        changedRows: stored?.changedRows ?? 0,
        problems: problems.sorted { $0.coordinate < $1.coordinate }, isNew: isNew)
    }
  }
}
