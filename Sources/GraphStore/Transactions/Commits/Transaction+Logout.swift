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

extension Graph {
  /// The data that was deleted when a user logged out.
  public struct LogoutReport: Sendable, Hashable {
    /// The keys of the objects that were deleted.
    public let deleted: [GraphQL.EntityKey]
    /// Work that will not be sent any more. An operation whose state is `inTransit` or `uncertain` may have reached the
    /// server.
    public let unsent: [UnsentWork]
    /// Why the deleted data could not be erased from the file yet, for example because another process
    /// reads it or the disk fails; nil if it was erased. The data is deleted anyway. The store tries
    /// again at its next checkpoints until the program ends; ``Store/eraseDeletedData()`` tries again at once.
    public internal(set) var erasureError: StoreError?
  }
}

/// Counts the logouts of a store.
final class LogoutCounter: Sendable {
  private let count = AtomicNumber<UInt64>(0)
  /// The last logout after which the user's data was removed from memory.
  private let finished = AtomicNumber<UInt64>(0)

  var current: UInt64 { count.load() }

  /// Takes over the file's count.
  func update(to number: UInt64) { count.raise(to: number) }

  /// Records that the data of earlier generations was removed from memory, or is about to be removed.
  ///
  /// - Returns: false if that was recorded before.
  @discardableResult
  func markFinished(_ number: UInt64) -> Bool {
    finished.raise(to: number) < number
  }
}

/// Notifies the module whose extension tables were emptied.
final class LogoutObservers: Sendable {
  /// Its argument is the work that was never sent; nil if another store has deleted it.
  typealias Observer = @Sendable ([Graph.UnsentWork]?) -> Void

  private struct State {
    var nextID = 0
    var observers: [Int: Observer] = [:]
  }

  private let state = Locked(State())

  func publish(_ unsent: [Graph.UnsentWork]?) {
    let observers = state.withLock { Array($0.observers.values) }
    for observer in observers { observer(unsent) }
  }

  func add(_ observer: @escaping Observer) -> Registration {
    let id = state.withLock { state in
      state.nextID += 1
      state.observers[state.nextID] = observer
      return state.nextID
    }
    return Registration { [self] in state.withLock { $0.observers[id] = nil } }
  }
}
