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
