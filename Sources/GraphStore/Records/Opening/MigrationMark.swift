import Foundation
import GraphQLRuntime
import GraphStorage

/// The renames of a program, which it applies to all data in a file.
///
/// The first program that declares renames creates the table. A store that writes to a file with
/// another mark changes the mark: the next program with renames applies them again. So a program
/// with an older schema may write at any time.
struct MigrationMark: Sendable {
  static let table = """
    CREATE TABLE IF NOT EXISTS schema_rename(renames TEXT NOT NULL, report TEXT NOT NULL) STRICT
    """

  let renames: [String]

  init(_ renames: [Graph.SchemaRename]) {
    self.renames = renames.map(\.description)
  }
}

/// Describes which names the data of a file has. A file without the table has the names of the
/// oldest program.
struct FileMark: Hashable, Sendable {
  /// The programs that have written data whose names may be different.
  enum Writers: Hashable, Sendable {
    /// All data has the names after the applied renames.
    case same
    /// Programs with that list, or with a shorter one that it begins with.
    case upTo([String])
    case unknown

    fileprivate init(_ list: [String], or other: [String]) {
      if list.starts(with: other) {
        self = .upTo(list)
      } else {
        self = other.starts(with: list) ? .upTo(other) : .unknown
      }
    }
  }

  /// The renames that were applied to all data; nil if another program has written since.
  let applied: [String]?
  let writers: Writers

  static let none = FileMark(applied: [], writers: .same)

  /// Whether a program has no rename to apply. A program with an older list has nothing to apply
  /// either, but finds no data under its own names.
  func isDone(for mark: MigrationMark) -> Bool { applied?.starts(with: mark.renames) ?? false }

  /// The mark after a program with a list has written.
  fileprivate func written(by mark: MigrationMark) -> FileMark {
    if applied == mark.renames { return self }
    return FileMark(applied: nil, writers: writers(and: mark.renames))
  }

  /// The mark after a program has applied its renames.
  fileprivate func migrated(by mark: MigrationMark, isComplete: Bool) -> FileMark {
    FileMark(applied: mark.renames, writers: isComplete ? .same : writers(and: mark.renames))
  }

  private func writers(and list: [String]) -> Writers {
    switch writers {
    case .same: Writers(applied ?? [], or: list)
    case .upTo(let known): Writers(known, or: list)
    case .unknown: .unknown
    }
  }

  /// The possible states of the data, as numbers of entries of a list.
  fileprivate func states(in mark: MigrationMark) -> ClosedRange<Int> {
    let all = mark.renames
    switch writers {
    case .same:
      let applied = applied ?? []
      if all.starts(with: applied) { return applied.count...applied.count }
      // The oldest entries were removed from the list.
      if applied.suffix(all.count) == all[...] { return all.count...all.count }
    case .upTo(let known):
      if all.starts(with: known) { return 0...known.count }
    case .unknown: break
    }
    return 0...all.count
  }
}

// As text: the applied renames, one in a line. Otherwise the first line is `?` with the number of
// applied ones, `-` if there were others since, and `*` if the writers are unknown. The applied
// renames and those of the writers follow.
extension FileMark {
  init(_ text: String) {
    var lines = text.split(separator: "\n").map(String.init)
    guard let first = lines.first, first.hasPrefix("?") else {
      self.init(applied: lines, writers: .same)
      return
    }
    lines.removeFirst()
    let count = Int(first.dropFirst().prefix { $0.isNumber }).map { min($0, lines.count) }
    self.init(
      applied: count.map { Array(lines.prefix($0)) },
      writers: first.hasSuffix("*") || first == "?"
        ? .unknown : .upTo(Array(lines.dropFirst(count ?? 0))))
  }

  var text: String {
    let applied = applied ?? []
    let first = "?" + (self.applied.map { "\($0.count)" } ?? "-")
    return switch writers {
    case .same: applied.joined(separator: "\n")
    case .upTo(let list): ([first] + applied + list).joined(separator: "\n")
    case .unknown: (["\(first)*"] + applied).joined(separator: "\n")
    }
  }
}

extension DatabaseConnection {
  /// The mark of the file; nil if there is no such table.
  func migrationMark() throws(Graph.StoreError) -> (renames: FileMark, report: String)? {
    guard try integer(.hasMigrationMark) == 1 else { return nil }
    return try rows("SELECT renames, report FROM schema_rename", []) {
      (renames: FileMark($0.text(0)), report: $0.text(1))
    }.first
  }

  fileprivate func set(_ mark: FileMark, report: String) throws(Graph.StoreError) {
    try execute(MigrationMark.table)
    try execute("DELETE FROM schema_rename", [])
    try execute(
      "INSERT INTO schema_rename(renames, report) VALUES(?1, ?2)",
      [.text(mark.text), .text(report)])
  }

  /// Deletes the report, for a file without contents.
  func forgetMigrationReport() throws(Graph.StoreError) {
    guard let found = try migrationMark() else { return }
    try set(found.renames, report: "")
  }

  /// Notes that a program with other renames writes. Called in a transaction, when others have
  /// written.
  func claim(_ mark: MigrationMark) throws(Graph.StoreError) {
    guard let found = try migrationMark() else { return }
    let changed = found.renames.written(by: mark)
    if changed != found.renames { try set(changed, report: "") }
  }
}

extension StoreFile {
  /// Whether the renames were applied to the file.
  func isMigrated(_ mark: MigrationMark, on connection: DatabaseConnection) throws(Graph.StoreError)
    -> Bool
  {
    try (connection.migrationMark()?.renames ?? .none).isDone(for: mark)
  }

  /// Applies renames in the open transaction, and sets their mark.
  func migrate(
    _ renames: [Graph.SchemaRename], _ policies: Policies, on connection: DatabaseConnection
  ) throws(Graph.StoreError) {
    var notes = MigrationNotes()
    let mark = MigrationMark(renames)
    let found = try connection.migrationMark()?.renames ?? .none
    let states = found.states(in: mark)
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
      found.migrated(by: mark, isComplete: !plan.isAmbiguous),
      report: String(decoding: report, as: UTF8.self))
  }

  /// The report of the file, with the types that the schema does not have; nil if there is nothing
  /// to report.
  func migrationReport(_ policies: Policies, isNew: Bool) throws(Graph.StoreError) -> Graph
    .MigrationReport?
  {
    try pool.read { connection throws(Graph.StoreError) in
      let stored = try connection.migrationMark().flatMap {
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
