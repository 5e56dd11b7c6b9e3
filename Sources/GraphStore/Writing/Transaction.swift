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

  let policies: Policies
  /// nil in a store without a file.
  let file: StoreFile?
  let connection: Connection?
  private let cache: RecordCache
  private var memory: MemoryTable
  private(set) var changes: [GraphQL.EntityKey: Change] = [:]
  /// The keys of ``changes`` in the order of the first change.
  private(set) var order: [GraphQL.EntityKey] = []
  private var isOpen = true

  init(
    policies: Policies, file: StoreFile?, connection: Connection?, cache: RecordCache,
    memory: MemoryTable
  ) {
    self.policies = policies
    self.file = file
    self.connection = connection
    self.cache = cache
    self.memory = memory
  }

  func end() { isOpen = false }

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
    guard let file, let connection, !policies.isTransient(typeName) else { return nil }
    return (file, connection)
  }
}

extension Transaction: RecordSource, RecordReading {
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

extension Transaction {
  /// Writes the changed rows, and gives what changed with the table in memory as it is now.
  ///
  /// - Parameter now: milliseconds since 1970.
  func flush(now: Int64) throws(StoreError) -> (changes: ChangeSet, memory: MemoryTable) {
    var result = ChangeSet()
    for key in order {
      guard let change = changes[key] else { continue }
      switch (change.before, change.after) {
      case (nil, nil): continue
      case (let before?, let after?):
        if before.json.isSame(as: after) { continue }
        result.updated.insert(key)
      case (nil, .some): result.inserted.insert(key)
      case (.some, nil): result.deleted.insert(key)
      }
      try write(change, for: key, now: now)
    }
    return (result, memory)
  }

  private func write(
    _ change: Change, for key: GraphQL.EntityKey, now: Int64
  ) throws(StoreError) {
    guard let (file, connection) = place(of: key.typeName) else {
      memory[key] = change.after
      return
    }
    switch (change.before, change.after) {
    case (let before?, let after?):
      try connection.update(id: before.id, record: after, changed: now)
      cache.stage(StoredRow(json: after, id: before.id), for: key)
    case (nil, let after?):
      let type = try file.types.numberForWriting(key.typeName, on: connection)
      try connection.insert(type: type, key: key.key, record: after, changed: now)
      cache.stage(StoredRow(json: after, id: connection.lastInsertedRow), for: key)
    case (let before?, nil):
      try connection.delete(id: before.id)
      cache.stage(nil, for: key)
    case (nil, nil): break
    }
  }
}
