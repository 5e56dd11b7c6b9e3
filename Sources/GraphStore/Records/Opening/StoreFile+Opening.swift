import Foundation
import GraphQLRuntime
import GraphStorage

/// A file whose data has the names and the indexes that a store needs.
struct PreparedFile {
  let file: StoreFile
  /// The renames that were applied to the data that the store writes.
  let renames: DeclaredRenames
  /// The outcome for data of another schema.
  let migrationReport: Graph.MigrationReport?
  /// The number of logouts in the file.
  let generation: UInt64
}

extension StoreFile {
  /// Opens the file, or creates it.
  ///
  /// - Parameters:
  ///   - limit: the maximum time to wait for others, here and later.
  ///   - policies: determines the indexes of the file.
  ///   - renames: the renames to apply to the file.
  /// - Throws: `newerFormat`, `foreignFile`, `unsafePath`, `file`, `database`, `busy`.
  static func open(
    _ url: URL, limit: Duration, recorder: SQLRecorder?, declaring policies: Policies,
    renames: [Graph.SchemaRename] = []
  ) throws(Graph.StoreError) -> PreparedFile {
    var attempts = 0
    while true {
      do throws(Graph.StoreError) {
        let file = try StoreFile(url, limit: limit, recorder: recorder)
        var report: Graph.MigrationReport?
        do throws(Graph.StoreError) {
          let isNew = try file.declare(policies, renames: renames)
          report = try file.migrationReport(policies, isNew: isNew)
        } catch {
          // The damage is recorded, and the readable parts of the file can still be read; the next
          // opening checks it.
          guard error.code == .corrupt else { throw error }
        }
        return PreparedFile(
          file: file, renames: DeclaredRenames(renames), migrationReport: report,
          generation: try file.generation())
      } catch {
        // If the file was moved aside just now, another one will be created.
        attempts += 1
        guard error.code == .replaced, attempts < 10 else { throw error }
      }
    }
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

extension StoreFile {
  /// Applies the renames that were not applied to the file, creates the declared indexes with the
  /// stored values, and drops others. All of it is one transaction.
  ///
  /// - Returns: whether renames were applied.
  func declare(_ policies: Policies, renames: [Graph.SchemaRename]) throws(Graph.StoreError) -> Bool
  {
    let declared = DeclaredRenames(renames)
    // A store that is opened inside a transaction of another one does not have to wait for it.
    let isDone = try pool.read { connection throws(Graph.StoreError) in
      guard try isMigrated(declared, on: connection) else { return false }
      return try isDeclared(policies, on: connection)
    }
    if isDone { return false }
    return try withWriteLock { writer throws(Graph.StoreError) in
      let isMigrated = try isMigrated(declared, on: writer)
      if isMigrated, try isDeclared(policies, on: writer) { return false }
      do throws(Graph.StoreError) {
        try writer.run(.beginImmediate)
        if !isMigrated { try migrate(renames, policies, on: writer) }
        try declare(policies, on: writer)
        try commit(writer)
        noteCommit()
        return !isMigrated
      } catch {
        rollBack(writer, after: error)
        throw error
      }
    }
  }

  private func isDeclared(_ policies: Policies, on connection: DatabaseConnection) throws(Graph
    .StoreError)
    -> Bool
  {
    let numbers = try typeNumbers.all(on: connection)
    for (name, number) in numbers {
      let declared = policies.indexes(ofType: name)
      if try connection.indexNumbers(type: number).count != declared.count { return false }
      for index in declared where try connection.index(type: number, index) == nil { return false }
    }
    return policies.indexedTypes.allSatisfy { numbers[$0] != nil }
  }

  private func declare(_ policies: Policies, on connection: DatabaseConnection) throws(Graph
    .StoreError)
  {
    for name in policies.indexedTypes {
      _ = try typeNumbers.numberForWriting(name, on: connection)
    }
    for (name, number) in try typeNumbers.all(on: connection) {
      let declared = policies.indexes(ofType: name)
      var missing: [FieldIndex] = []
      var kept: Set<Int64> = []
      for index in declared {
        if let known = try connection.index(type: number, index) {
          kept.insert(known)
        } else {
          missing.append(index)
        }
      }
      for known in try connection.indexNumbers(type: number) where !kept.contains(known) {
        try connection.dropIndex(known)
      }
      if !missing.isEmpty { try fill(missing, type: number, on: connection) }
    }
  }

  private func fill(
    _ indexes: [FieldIndex], type: Int64, on connection: DatabaseConnection
  ) throws(Graph.StoreError) {
    var numbered: [(Int64, FieldIndex)] = []
    for index in indexes {
      numbered.append((try connection.addIndex(type: type, index), index))
    }
    try connection.forEachRow(type: type) { entity, json throws(Graph.StoreError) in
      for (number, index) in numbered {
        try connection.insertValue(index.value(in: json), index: number, entity: entity)
      }
    }
  }
}
