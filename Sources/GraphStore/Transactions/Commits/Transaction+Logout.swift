import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Begins a logout, of this store or of another one with its file: deletes the data that is only
  /// in memory, other than the objects. Otherwise, fields that are kept in memory for objects in the
  /// file would be written to the file: without their links, but with their arguments.
  func beginLogout() throws(Graph.StoreError) {
    isLogout = true
    memory.memoryOnly = [:]
    endExpectedChanges()
    states.forget()
    forgetErrorsForLogout()
    try removeOverlaysInMemory()
  }

  /// Repeats the logout of another store, which has deleted the data in the file: the data in
  /// memory here is deleted as well, whatever a rule denies.
  func takeOverLogout() throws(Graph.StoreError) {
    try beginLogout()
    var gone: [GraphQL.EntityKey] = []
    for name in memory.counts.keys {
      gone += memory.records(ofType: name).map { GraphQL.EntityKey(typeName: name, key: $0.key) }
    }
    _ = try delete(gone, withThose: [])
  }

  /// Deletes the user's objects.
  ///
  /// - Parameter isEverything: whether persistent objects are deleted as well.
  /// - Returns: the keys of the deleted objects.
  func deleteForLogout(isEverything: Bool) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    let transientRows = try deleteRowsOfTransientTypes()
    var gone: [GraphQL.EntityKey] = []
    try forEachRecord { key, _ throws(Graph.StoreError) in
      // Responses to queries; and rows that readers do not find, since an earlier version of the
      // program has written them, when their type was another one, or had another field.
      let isCache =
        key.key.isEmpty || !isObject(key) || planner.plan(ofType: key.typeName) == nil
      if isEverything || policies.isDeletedAtLogout(key.typeName) || isCache { gone.append(key) }
    }
    gone += try unreadableRows()
    if !isEverything {
      try deleteErrorsForLogout()
      let deletion = try Deletion(of: gone, withThose: transientRows, in: self)
      for key in deletion.keys { try remove(entityState(of: key)) }
      try removeFields(leadingTo: deletion.gone)
      return deletion.keys
    }
    memory.errors = FieldErrors()
    // No referring objects are left.
    var seen: Set<GraphQL.EntityKey> = []
    gone = (transientRows + gone).filter { seen.insert($0).inserted }
    for key in gone { put(nil, in: try entityState(of: key)) }
    try connection?.empty()
    states.isStale = true
    return gone
  }

  /// Deletes what leads to a user's objects from other records. It becomes missing: the next user has not got a null, or
  /// a list without an element, from the server. The arguments of a field may contain keys, so fields are deleted as a
  /// whole, and connections with all of their pages.
  private func removeFields(leadingTo gone: Set<GraphQL.EntityKey>) throws(Graph.StoreError) {
    var connections: Set<GraphQL.EntityKey> = []
    try forEachRecord { key, json throws(Graph.StoreError) in
      if key.isOfConnection, json.links(in: JSONDocument.rootIndex).contains(where: gone.contains) {
        connections.insert(json.isHead ? key : ConnectionKey(pageRow: key).head)
      }
    }
    for key in connections {
      try ConnectionWriter(key: ConnectionKey(head: key), typeName: "", transaction: self)
        .removeAll()
    }
    let fields = MemoryOnlyFields(
      policies: policies, deletedAtLogout: gone.union(connections))
    var changed: [(GraphQL.EntityKey, RecordText)] = []
    try forEachRecord { key, json throws(Graph.StoreError) in
      guard !key.isOfConnection,
        let kept = fields.split(json, ofType: key.typeName)?.stored
      else { return }
      changed.append((key, kept))
    }
    for (key, record) in changed { put(record, in: try entityState(of: key), isArrival: false) }
  }

  /// Whether a row is of an object with a key, or of a connection of one.
  private func isObject(_ row: GraphQL.EntityKey) -> Bool {
    policies.isEntity(GraphQL.EntityKey.policyTypeName(row.typeName))
  }

  /// Deletes the rows of types that are kept in memory: an earlier version of the program has
  /// written them, when they had another policy.
  private func deleteRowsOfTransientTypes() throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    guard let connection, let file = committed.file else { return [] }
    var gone: [GraphQL.EntityKey] = []
    for (name, number) in try file.typeNumbers.all(on: connection) where policies.isTransient(name)
    {
      gone += try connection.keys(type: number).map { GraphQL.EntityKey(typeName: name, key: $0) }
      try connection.deleteRows(type: number)
    }
    return gone
  }

  /// Data in the file that readers skip: damaged rows, and rows of types that the schema does not
  /// have. Rows without a type are deleted.
  private func unreadableRows() throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    guard let connection, let file = committed.file else { return [] }
    let types = try file.typeNumbers.all(on: connection)
    let names = Dictionary(uniqueKeysWithValues: types.map { ($1, $0) })
    var found: [GraphQL.EntityKey] = []
    var nameless: [Int64] = []
    var known: [Int64: Bool] = [:]
    try connection.forEachRow { row throws(Graph.StoreError) in
      guard let name = names[row.type] else {
        nameless.append(row.id)
        return
      }
      let isKnown =
        known[row.type]
        ?? (planner.plan(ofType: GraphQL.EntityKey.policyTypeName(name)) != nil)
      known[row.type] = isKnown
      if row.isDamaged || !isKnown {
        found.append(GraphQL.EntityKey(typeName: name, key: row.key))
      }
    }
    for id in nameless { try connection.delete(id: id) }
    return found
  }

  /// The number of logouts in the file; 0 in a store without one.
  func generation() throws(Graph.StoreError) -> UInt64 {
    try connection?.generation() ?? 0
  }

  /// - Parameter current: the number of a store without a file.
  func advanceGeneration(from current: UInt64) throws(Graph.StoreError) -> UInt64 {
    guard let connection else { return current + 1 }
    try connection.run(.advanceGeneration)
    return try connection.generation()
  }
}

extension DatabaseConnection {
  /// A row in the file, readable or not.
  fileprivate struct Row {
    let id: Int64
    let type: Int64
    let key: String
    let isDamaged: Bool
  }

  fileprivate func forEachRow(
    _ body: (Row) throws(Graph.StoreError) -> Void
  ) throws(Graph.StoreError) {
    let statement = try prepared(.allRows)
    defer { statement.reset() }
    while try statement.step() {
      let type = statement.integer(3)
      try body(
        Row(
          id: statement.integer(2), type: type, key: statement.text(4),
          isDamaged: statement.json(type) == nil))
    }
  }

  /// The keys of a type's rows.
  fileprivate func keys(type: Int64) throws(Graph.StoreError) -> [String] {
    try rows("SELECT key FROM entity WHERE type = ?1 ORDER BY id", [.integer(type)]) { $0.text(0) }
  }

  /// Deletes the rows of a type, with their values in the indexes.
  fileprivate func deleteRows(type: Int64) throws(Graph.StoreError) {
    try execute(
      "DELETE FROM field_value WHERE entity IN (SELECT id FROM entity WHERE type = ?1)",
      [.integer(type)])
    try execute("DELETE FROM entity WHERE type = ?1", [.integer(type)])
  }

  /// Deletes all rows, including those without a key.
  fileprivate func empty() throws(Graph.StoreError) {
    for table in ["entity", "field_value", "field_error"] {
      try execute("DELETE FROM \(table)", [])
    }
    try forgetMigrationReport()
  }
}
