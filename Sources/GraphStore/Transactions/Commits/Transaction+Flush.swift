import GraphJSON
import GraphQLRuntime

extension Graph.Transaction {
  /// Writes the changed rows, and returns the changes with the current table in memory.
  ///
  /// - Parameter now: milliseconds since 1970.
  func flush(
    now: Int64
  ) throws(Graph.StoreError) -> (changes: CommittedChanges, memory: MemoryTable) {
    var result = CommittedChanges()
    result.affectsAll = isLogout
    var rows = RowWriter(transaction: self, now: now)
    result.renamed = renamed
    result.touched = touched
    for state in changed {
      if state.isBaseChanged { try writeBase(of: state) }
      let isWritten: Bool
      switch (state.row, state.record) {
      case (nil, nil): continue
      case (let row?, let record?):
        if row.record.isSame(as: record) {
          // A response has contained the entity, although its visible state is unchanged.
          if state.isFromResponse, state.overlay != nil { _ = try rows.update(state, row, record) }
          state.keepRow()
          continue
        }
        result.updated.append(state.key)
        isWritten = try rows.update(state, row, record)
      case (nil, let record?):
        result.inserted.append(state.key)
        isWritten = try rows.insert(state, record)
      case (let row?, nil):
        result.deleted.append(state.key)
        isWritten = try rows.delete(state, row)
      }
      if !isWritten {
        memory[state.key] = state.json
        state.note(row: 0)
      }
    }
    try rows.finish()
    return (result, memory)
  }

  /// Marks the changes as stored.
  func commit() {
    for state in changed { states.add(state.commit()) }
    changed = []
    onCommit?()
  }

  func rollback() {
    for state in changed { state.rollback() }
    changed = []
  }
}

/// Writes the rows of changed states; each function returns false for an entity that is kept in memory.
private struct RowWriter: ~Copyable {
  private let transaction: Graph.Transaction
  private let now: Int64
  /// The type of the last entity, as entities of one type often follow each other.
  private var type: TypeState?
  private var number: Int64?
  /// nil if the type has none.
  private var indexes: IndexMaintenance?
  /// New rows, and their entities.
  private var batch = RowBatch()
  private var waiting: [(state: EntityState, record: RecordText, indexes: IndexMaintenance?)] = []

  init(transaction: Graph.Transaction, now: Int64) {
    self.transaction = transaction
    self.now = now
  }

  mutating func insert(_ state: EntityState, _ record: RecordText) throws(Graph.StoreError) -> Bool
  {
    guard let connection = try connection(for: state) else { return false }
    if number == nil {
      number = try transaction.committed.file?.typeNumbers.numberForWriting(
        state.key.typeName, on: connection)
      indexes = try indexes(connection)
    }
    guard let number else { return false }
    if state.isFromResponse { state.arrival = now }
    let record = keepInMemory(state, record)
    batch.append(
      type: number, key: state.key.key, record: record, changed: state.isFromResponse ? now : 0)
    waiting.append((state, record, indexes))
    if batch.count == SQL.rowsPerInsertion { try insertWaiting(on: connection) }
    return true
  }

  /// Writes the remaining rows.
  mutating func finish() throws(Graph.StoreError) {
    if let connection = transaction.connection { try insertWaiting(on: connection) }
  }

  private mutating func insertWaiting(on connection: DatabaseConnection) throws(Graph.StoreError) {
    try batch.insert(on: connection) { place, id throws(Graph.StoreError) in
      let (state, record, indexes) = waiting[place]
      state.note(row: id)
      try indexes?.update(entity: id, from: nil, to: record, on: connection)
    }
    batch.removeAll()
    waiting.removeAll(keepingCapacity: true)
  }

  mutating func update(
    _ state: EntityState, _ row: StoredRow, _ record: RecordText
  ) throws(Graph.StoreError) -> Bool {
    guard let connection = try connection(for: state), let number else { return false }
    if state.isFromResponse { state.arrival = now }
    let old = stored(state, row.record)
    let record = keepInMemory(state, record)
    try connection.update(
      id: row.id, type: number, record: record, changed: state.isFromResponse ? now : nil)
    try indexes?.update(entity: row.id, from: old, to: record, on: connection)
    state.note(row: row.id)
    return true
  }

  mutating func delete(_ state: EntityState, _ row: StoredRow) throws(Graph.StoreError) -> Bool {
    guard let connection = try connection(for: state) else { return false }
    if state.isFromResponse { state.arrival = now }
    try connection.delete(id: row.id)
    try indexes?.update(entity: row.id, from: stored(state, row.record), to: nil, on: connection)
    if !transaction.memory.memoryOnly.isEmpty { transaction.memory.memoryOnly[state.key] = nil }
    // The type may have no entity any more.
    transaction.states.types[state.key.typeName] = nil
    return true
  }

  /// The part of a record for the file; the rest is kept in memory.
  private func keepInMemory(_ state: EntityState, _ record: RecordText) -> RecordText {
    guard type?.leadsToTransient == true else { return record }
    let parts = record.json.flatMap {
      MemoryOnlyFields(policies: transaction.policies).split($0, ofType: state.key.typeName)
    }
    transaction.memory.memoryOnly[state.key] = parts?.memoryOnly
    return parts?.stored ?? record
  }

  /// The part of a record in the file.
  private func stored(_ state: EntityState, _ record: RecordText) -> RecordText {
    guard type?.leadsToTransient == true, let json = record.json else { return record }
    return MemoryOnlyFields(policies: transaction.policies)
      .split(json, ofType: state.key.typeName)?.stored ?? record
  }

  /// nil for an entity that is not in a file.
  private mutating func connection(for state: EntityState) throws(Graph.StoreError)
    -> DatabaseConnection?
  {
    guard let connection = transaction.connection else { return nil }
    if type?.name != state.key.typeName {
      let type = try transaction.typeState(of: state.key.typeName)
      self.type = type
      number = type.isTransient ? nil : type.number
      indexes = try indexes(connection)
    }
    return type?.isTransient == true ? nil : connection
  }

  private func indexes(_ connection: DatabaseConnection) throws(Graph.StoreError)
    -> IndexMaintenance?
  {
    guard let number else { return nil }
    if let known = transaction.states.indexes[number] { return known.isEmpty ? nil : known }
    let indexes = try IndexMaintenance(type: number, on: connection)
    transaction.states.indexes[number] = indexes
    return indexes.isEmpty ? nil : indexes
  }
}
