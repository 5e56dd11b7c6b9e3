import GraphJSON
import GraphQLRuntime
import GraphStorage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Graph {
  /// A write: reads see its own changes, which are invisible elsewhere before the commit.
  ///
  /// It is not Sendable and ends with the closure that receives it; if it is used later, it throws
  /// `transactionEnded`.
  public final class Transaction {
    let committed: CommittedRecords
    let connection: DatabaseConnection?
    let states: EntityStates
    let planner: GraphQL.StoragePlanner
    var memory: MemoryTable
    /// The objects with another key, with the new one.
    var renamed: [(from: GraphQL.EntityKey, to: GraphQL.EntityKey)] = []
    /// The states that were changed, in the order of the first change.
    var changed: [EntityState] = []
    /// The entities whose errors were changed.
    var touched: [GraphQL.EntityKey] = []
    /// The lists that responses in the transaction contain: all connections, and others of objects with expected
    /// changes.
    var received: Set<ReceivedList> = []
    /// See ``updateExpectedRelations()``.
    var relationChanges: [RelationChange] = []
    /// The expected changes of clients that end with the transaction.
    private var ended: [UInt64] = []
    private var endsAll = false
    /// Whether the user's data is deleted: all observers read again, also those of data that is missing.
    var isLogout = false
    /// Called when readers see the changes, before observers get them.
    var onCommit: (() -> Void)?
    /// Set in a transaction that is never committed, see ``ExpectedReplay``.
    var trial: ExpectedRecords?
    private var isOpen = true
    /// The type that was used last, as entities of one type often follow each other.
    var lastType: TypeState?

    private(set) lazy var linkSource = TransactionLinks(self, committed: committed)

    init(
      committed: CommittedRecords, connection: DatabaseConnection?, states: EntityStates,
      planner: GraphQL.StoragePlanner
    ) {
      self.committed = committed
      self.connection = connection
      self.states = states
      self.planner = planner
      memory = committed.memory
    }

    /// A transaction that is never committed, over what readers see.
    init(
      trialOn committed: CommittedRecords, connection: DatabaseConnection?, memory: MemoryTable,
      planner: GraphQL.StoragePlanner
    ) {
      self.committed = committed
      self.connection = connection
      self.planner = planner
      states = EntityStates()
      // The rows contain what readers see, and that is the base here.
      states.hasOverlays = false
      self.memory = memory
      self.memory.overlays = MemoryOverlays()
      trial = ExpectedRecords()
    }

    func end() {
      isOpen = false
      linkSource.close()
    }

    func checkOpen() throws(Graph.StoreError) {
      guard isOpen else {
        throw StoreError(.transactionEnded, "the transaction was used after its closure returned")
      }
    }

    /// Replaces the record of an entity; nil deletes it.
    ///
    /// Its expected changes stay in effect.
    ///
    /// - Parameter isArrival: false for a stored entity that changes although no response contains it: it does not
    ///   become fresh.
    func put(_ record: RecordText?, in state: EntityState, isArrival: Bool = true) {
      let isFromResponse = record != nil && (isArrival || state.base == nil)
      let visible = state.overlay == nil ? record : rebase(state, on: record)
      if state.change(visible, isFromResponse: isFromResponse) { changed.append(state) }
    }

    /// Ends an expected change of a client with the commit.
    func endExpectedChange(_ id: UInt64) { ended.append(id) }

    /// Ends all expected changes of clients with the commit.
    func endExpectedChanges() { endsAll = true }

    var endsExpectedChanges: Bool { endsAll || !ended.isEmpty }

    func endExpectedChanges(in expected: inout ExpectedChanges) {
      if endsAll { expected.removeAll() }
      for id in ended { expected.remove(id) }
    }

    /// The state of an entity, whether it exists or not.
    func entityState(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> EntityState {
      if let known = states[key] { return known }
      let row = try stored(key)
      let state = EntityState(key: key, row: row, overlay: try overlay(of: key))
      if let row { states.add(row.record.size) }
      states.insert(state)
      return state
    }

    private func stored(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> StoredRow? {
      let type = try typeState(of: key.typeName)
      guard let connection, !type.isTransient else {
        return memory[key].map { StoredRow(record: RecordText($0), id: 0) }
      }
      guard !type.isComplete, let number = type.number else { return nil }
      return try connection.row(type: number, key: key.key).map { memory.completing($0, of: key) }
    }

    /// The file, for types that are kept in one.
    func fileAndConnection(for typeName: String) -> (StoreFile, DatabaseConnection)? {
      guard let file = committed.file, let connection, !policies.isTransient(typeName) else {
        return nil
      }
      return (file, connection)
    }
  }
}

extension Graph.Transaction: RecordSource, RecordReading {
  var policies: Policies { committed.policies }

  var links: StoredGraph {
    StoredGraph(policies: policies) { [linkSource] key in linkSource.record(key) }
  }

  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    try checkOpen()
    return try entityState(of: key).json
  }

  /// The stored records, as changed here; then the new ones.
  func forEachRecord(
    ofType name: String, _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) {
    var goesOn = true
    func visit(_ key: String, _ json: JSONDocument) throws(Graph.StoreError) -> Bool {
      let state = changed.isEmpty ? nil : states[GraphQL.EntityKey(typeName: name, key: key)]
      guard let current = state?.isChanged == true ? state?.json : json else { return true }
      goesOn = try body(key, current)
      return goesOn
    }
    if let (file, connection) = fileAndConnection(for: name) {
      if let number = try file.typeNumbers.number(of: name, on: connection) {
        try connection.forEachRecord(type: number) { key, json throws(Graph.StoreError) in
          try visit(key, memory.completing(json, name, key))
        }
      }
    } else {
      for (key, json) in memory.records(ofType: name) {
        guard try visit(key, json) else { break }
      }
    }
    for state in changed where goesOn && state.key.typeName == name && state.row == nil {
      if let json = state.json { goesOn = try body(state.key.key, json) }
    }
  }

  /// The transaction's changes of the type are not in an index yet.
  func forEachRecord(
    ofType name: String, by query: IndexQuery,
    _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) -> Bool {
    guard let connection, !changed.contains(where: { $0.key.typeName == name }) else {
      return false
    }
    let snapshot = Snapshot(committed: committed, connection: connection, memory: memory)
    return try snapshot.forEachRecord(ofType: name, by: query, body)
  }

  func count(ofType name: String) throws(Graph.StoreError) -> Int {
    var count = 0
    if let (file, connection) = fileAndConnection(for: name) {
      if let number = try file.typeNumbers.number(of: name, on: connection) {
        count = try connection.count(type: number)
      }
    } else {
      count = memory.count(ofType: name)
    }
    for state in changed where state.key.typeName == name {
      count += (state.json == nil ? 0 : 1) - (state.row == nil ? 0 : 1)
    }
    return count
  }

  func withRecords<T>(
    _ body: (any RecordSource) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T {
    try checkOpen()
    return try body(self)
  }
}

extension Graph.Transaction {
  /// Runs one statement over extension tables.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func execute(
    _ sql: String, _ values: [ExtensionValue] = []
  ) throws(Graph.StoreError) {
    _ = try rows(sql, values) { _ in }
  }

  /// Runs one statement over extension tables and reads its rows.
  ///
  /// - Throws: ``StoreError``: `file` in a store without one.
  package func rows<T>(
    _ sql: String, _ values: [ExtensionValue] = [], _ read: (ExtensionRow) -> T
  ) throws(Graph.StoreError) -> [T] {
    try checkOpen()
    guard let connection else { throw .noFile }
    return try connection.rows(sql, values, read)
  }

  /// The row that the last statement inserted.
  package var lastInsertedRow: Int64 { connection?.lastInsertedRow ?? 0 }
}

extension Graph.Transaction {
  var fieldErrors: FieldErrors {
    get throws(Graph.StoreError) {
      var errors = memory.errors
      if let connection { errors.merge(try connection.fieldErrors()) }
      return errors
    }
  }

  /// Replaces the errors of entities, whose observers read again.
  func write(
    _ changed: [(key: GraphQL.EntityKey, errors: [FieldErrors.Path: FieldErrors.Entry])]
  ) throws(Graph.StoreError) {
    for (key, errors) in changed {
      touched.append(key)
      guard let (_, connection) = fileAndConnection(for: key.typeName) else {
        memory.errors[key] = errors
        continue
      }
      let kept = errors.filter { path, _ in isMemoryOnly(path, of: key) }
      memory.errors[key] = kept
      try connection.write(errors.filter { kept[$0.key] == nil }, of: key)
    }
  }

  /// Whether an error is kept in memory: the arguments of a field that leads to an entity in memory
  /// may contain its key.
  func isMemoryOnly(_ path: FieldErrors.Path, of key: GraphQL.EntityKey) -> Bool {
    path.first.map {
      policies.leadsToTransient(GraphQL.StorageKey.fieldName($0.text), of: key.typeName)
    } ?? false
  }
}

/// Follows the links of objects that were read in a transaction: in the transaction's state while
/// it is open, in the committed state afterwards and on other threads.
// Safe: only the thread that runs the transaction accesses it, which `owner` identifies.
final class TransactionLinks: @unchecked Sendable {
  private let owner = currentThread
  private let committed: CommittedRecords
  /// 1 after the end of the transaction.
  private let isClosed = AtomicNumber(0)
  private unowned let transaction: Graph.Transaction

  init(_ transaction: Graph.Transaction, committed: CommittedRecords) {
    self.transaction = transaction
    self.committed = committed
  }

  func close() { isClosed.store(1) }

  func record(_ key: GraphQL.EntityKey) -> JSONDocument? {
    // The owner's own thread cannot close the transaction between the check and the use.
    if owner == currentThread, isClosed.load() == 0 {
      return try? transaction.record(key)
    }
    return try? committed.record(key)
  }
}

/// Distinguishes the threads that exist.
// Safe: where the C library identifies threads by pointers, these are only compared.
private var currentThread: UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    unsafe UInt(bitPattern: pthread_self())
  #endif
}

/// A field of an object that a response contains.
struct ReceivedList: Hashable {
  let owner: GraphQL.EntityKey
  let storageKey: String
}

extension Set<ReceivedList> {
  /// Whether a response contains one of the fields.
  func contains(_ list: Graph.StoredList) -> Bool {
    contains { $0.owner == list.owner && list.includes($0.storageKey) }
  }
}
