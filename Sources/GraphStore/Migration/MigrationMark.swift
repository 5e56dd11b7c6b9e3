import Foundation
import GraphQLRuntime

/// The renames that were applied to all data in a file, with their report.
///
/// The first program that declares renames creates the table. A store that writes to a file with
/// another mark removes the mark: the next program with renames applies them again. So a program
/// with an older schema may write at any time.
struct MigrationMark: Sendable {
  static let table = """
    CREATE TABLE IF NOT EXISTS schema_rename(renames TEXT NOT NULL, report TEXT NOT NULL) STRICT
    """

  /// The value of ``init(_:)`` for no renames, and of a file without the table.
  let text: String

  init(_ renames: [SchemaRename]) {
    text = renames.map(\.description).joined(separator: "\n")
  }

  /// The mark of a file in which other programs wrote after renames were applied.
  fileprivate static let none = "?"
}

extension Connection {
  /// The mark of the file; nil if there is no such table.
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

  /// Deletes the report, for a file without contents.
  func forgetMigrationReport() throws(StoreError) {
    guard let found = try migrationMark() else { return }
    try set(found.renames, report: "")
  }

  /// Removes the mark if it is of other renames. Called in a transaction, when others have written.
  func claim(_ mark: MigrationMark) throws(StoreError) {
    guard let found = try migrationMark(), found.renames != mark.text,
      found.renames != MigrationMark.none
    else { return }
    try set(MigrationMark.none, report: "")
  }
}

extension StoreFile {
  /// Whether the renames were applied to the file.
  func isMigrated(_ mark: MigrationMark, on connection: Connection) throws(StoreError) -> Bool {
    try (connection.migrationMark()?.renames ?? "") == mark.text
  }

  /// Applies renames in the open transaction, and sets their mark.
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
      // They are filled with the newly declared ones.
      for type in migration.touchedTypes {
        for index in try connection.indexNumbers(type: type) { try connection.dropIndex(index) }
      }
    }
    let report = (try? JSONEncoder().encode(notes.report(isNew: false))) ?? Data()
    try connection.set(
      MigrationMark(renames).text, report: String(decoding: report, as: UTF8.self))
  }

  /// The report of the file, with the types that the schema does not have; nil if there is nothing
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
