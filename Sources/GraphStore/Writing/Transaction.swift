import GraphJSON
import GraphQLRuntime

/// The writable storage of one write: it sees its own changes, and nobody else does before the
/// commit.
///
/// It is not Sendable and ends with the closure that it is given to; used later it throws
/// `transactionEnded`.
public final class Transaction {
  struct Change {
    let before: StoredRow?
    var after: JSONDocument?
  }

  let committed: CommittedRecords
  let connection: Connection?
  let cache: RecordCache
  var memory: MemoryTable
  private(set) var changes: [GraphQL.EntityKey: Change] = [:]
  /// The keys of ``changes`` in the order of the first change.
  private(set) var order: [GraphQL.EntityKey] = []
  private var isOpen = true

  private(set) lazy var linkSource = TransactionLinks(self, committed: committed)

  init(committed: CommittedRecords, connection: Connection?, cache: RecordCache) {
    self.committed = committed
    self.connection = connection
    self.cache = cache
    memory = committed.memory
  }

  func end() {
    isOpen = false
    linkSource.close()
  }

  func checkOpen() throws(StoreError) {
    guard isOpen else {
      throw StoreError(.transactionEnded, "the transaction was used after its closure returned")
    }
  }

  /// Replaces the record of an entity; nil deletes it. `known` is what ``current(_:)`` gave.
  func put(_ json: JSONDocument?, for key: GraphQL.EntityKey, known: Current) {
    if changes[key] != nil {
      changes[key]?.after = json
    } else {
      changes[key] = Change(before: known.stored, after: json)
      order.append(key)
    }
  }

  /// An entity's record as this transaction sees it, and as it is stored.
  struct Current {
    let json: JSONDocument?
    let stored: StoredRow?
  }

  func current(_ key: GraphQL.EntityKey) throws(StoreError) -> Current {
    if let change = changes[key] { return Current(json: change.after, stored: change.before) }
    let stored = try stored(key)
    return Current(json: stored?.json, stored: stored)
  }

  private func stored(_ key: GraphQL.EntityKey) throws(StoreError) -> StoredRow? {
    guard let (file, connection) = place(of: key.typeName) else {
      return memory[key].map { StoredRow(json: $0, id: 0) }
    }
    if let known = cache[key] { return known }
    guard let number = try file.types.number(of: key.typeName, on: connection),
      let row = try connection.record(type: number, key: key.key)
    else { return nil }
    cache.insert(row, for: key)
    return row
  }

  /// The file, for types that are kept in one.
  func place(of typeName: String) -> (StoreFile, Connection)? {
    guard let file = committed.file, let connection, !policies.isTransient(typeName) else {
      return nil
    }
    return (file, connection)
  }
}

extension Transaction: RecordSource, RecordReading {
  var policies: Policies { committed.policies }

  var links: StoredGraph {
    StoredGraph(policies: policies) { [linkSource] key in linkSource.record(key) }
  }

  func record(_ key: GraphQL.EntityKey) throws(StoreError) -> JSONDocument? {
    try current(key).json
  }

  /// What is stored, as changed here; then what is new here.
  func forEachRecord(
    ofType name: String, _ body: (String, JSONDocument) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var goesOn = true
    func visit(_ key: String, _ json: JSONDocument) throws(StoreError) -> Bool {
      let change = changes[GraphQL.EntityKey(typeName: name, key: key)]
      guard let current = change == nil ? json : change?.after else { return true }
      goesOn = try body(key, current)
      return goesOn
    }
    if let (file, connection) = place(of: name) {
      if let number = try file.types.number(of: name, on: connection) {
        try connection.forEachRecord(type: number, visit)
      }
    } else {
      for (key, json) in memory.records(ofType: name) {
        guard try visit(key, json) else { break }
      }
    }
    for key in order where goesOn && key.typeName == name {
      guard let change = changes[key], change.before == nil, let json = change.after else {
        continue
      }
      goesOn = try body(key.key, json)
    }
  }

  func count(ofType name: String) throws(StoreError) -> Int {
    var count = 0
    if let (file, connection) = place(of: name) {
      if let number = try file.types.number(of: name, on: connection) {
        count = try connection.count(type: number)
      }
    } else {
      count = memory.count(ofType: name)
    }
    for (key, change) in changes where key.typeName == name {
      count += (change.after == nil ? 0 : 1) - (change.before == nil ? 0 : 1)
    }
    return count
  }

  func withRecords<T>(
    _ body: (any RecordSource) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    try checkOpen()
    return try body(self)
  }
}

extension Transaction: Storage {
  public var _reader: StorageReader { StorageReader(policies: policies, reading: self) }
}
