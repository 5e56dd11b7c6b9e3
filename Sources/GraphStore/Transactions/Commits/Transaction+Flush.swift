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
    var rows = RowWriter(transaction: self, now: now)
    result.renamed = renamed
    for slot in changed {
      if slot.isBaseChanged { try writeBase(of: slot) }
      let isWritten: Bool
      switch (slot.row, slot.record) {
      case (nil, nil): continue
      case (let row?, let record?):
        if row.record.isSame(as: record) {
          // A response has contained it, though its visible state is unchanged.
          if slot.isTold, slot.overlay != nil { _ = try rows.update(slot, row, record) }
          slot.keepRow()
          continue
        }
        result.updated.append(slot.key)
        isWritten = try rows.update(slot, row, record)
      case (nil, let record?):
        result.inserted.append(slot.key)
        isWritten = try rows.insert(slot, record)
      case (let row?, nil):
        result.deleted.append(slot.key)
        isWritten = try rows.delete(slot, row)
      }
      if !isWritten {
        memory[slot.key] = slot.json
        slot.note(row: 0)
      }
    }
    try rows.finish()
    return (result, memory)
  }

  /// Marks the changes as stored.
  func commit() {
    for slot in changed { slots.add(slot.commit()) }
    changed = []
  }

  func rollback() {
    for slot in changed { slot.rollback() }
    changed = []
  }
}

/// Writes the rows of changed slots; each function returns false for an entity that is kept in memory.
private struct RowWriter: ~Copyable {
  private let transaction: Graph.Transaction
  private let now: Int64
  /// The type of the last entity, as entities of one type often follow each other.
  private var type: KnownType?
  private var number: Int64?
  /// nil if the type has none.
  private var indexes: IndexMaintenance?
  /// New rows, and their entities.
  private var batch = RowBatch()
  private var waiting: [(slot: Slot, record: RecordText, indexes: IndexMaintenance?)] = []

  init(transaction: Graph.Transaction, now: Int64) {
    self.transaction = transaction
    self.now = now
  }

  mutating func insert(_ slot: Slot, _ record: RecordText) throws(Graph.StoreError) -> Bool {
    guard let connection = try connection(for: slot) else { return false }
    if number == nil {
      number = try transaction.committed.file?.types.numberForWriting(
        slot.key.typeName, on: connection)
      indexes = try indexes(connection)
    }
    guard let number else { return false }
    if slot.isTold { slot.arrival = now }
    let record = withhold(slot, record)
    batch.append(
      type: number, key: slot.key.key, record: record, changed: slot.isTold ? now : 0)
    waiting.append((slot, record, indexes))
    if batch.count == SQL.rowsPerInsertion { try insertWaiting(on: connection) }
    return true
  }

  /// Writes the remaining rows.
  mutating func finish() throws(Graph.StoreError) {
    if let connection = transaction.connection { try insertWaiting(on: connection) }
  }

  private mutating func insertWaiting(on connection: Connection) throws(Graph.StoreError) {
    try batch.insert(on: connection) { place, id throws(Graph.StoreError) in
      let (slot, record, indexes) = waiting[place]
      slot.note(row: id)
      try indexes?.update(entity: id, from: nil, to: record, on: connection)
    }
    batch.removeAll()
    waiting.removeAll(keepingCapacity: true)
  }

  mutating func update(
    _ slot: Slot, _ row: StoredRow, _ record: RecordText
  ) throws(Graph.StoreError) -> Bool {
    guard let connection = try connection(for: slot), let number else { return false }
    if slot.isTold { slot.arrival = now }
    let old = stored(slot, row.record)
    let record = withhold(slot, record)
    try connection.update(
      id: row.id, type: number, record: record, changed: slot.isTold ? now : nil)
    try indexes?.update(entity: row.id, from: old, to: record, on: connection)
    slot.note(row: row.id)
    return true
  }

  mutating func delete(_ slot: Slot, _ row: StoredRow) throws(Graph.StoreError) -> Bool {
    guard let connection = try connection(for: slot) else { return false }
    if slot.isTold { slot.arrival = now }
    try connection.delete(id: row.id)
    try indexes?.update(entity: row.id, from: stored(slot, row.record), to: nil, on: connection)
    if !transaction.memory.withheld.isEmpty { transaction.memory.withheld[slot.key] = nil }
    // The type may have no entity any more.
    transaction.slots.types[slot.key.typeName] = nil
    return true
  }

  /// The part of a record for the file; the rest is kept in memory.
  private func withhold(_ slot: Slot, _ record: RecordText) -> RecordText {
    guard type?.leadsToTransient == true else { return record }
    let parts = record.json.flatMap {
      WithheldFields(policies: transaction.policies).split($0, ofType: slot.key.typeName)
    }
    transaction.memory.withheld[slot.key] = parts?.withheld
    return parts?.stored ?? record
  }

  /// The part of a record in the file.
  private func stored(_ slot: Slot, _ record: RecordText) -> RecordText {
    guard type?.leadsToTransient == true, let json = record.json else { return record }
    return WithheldFields(policies: transaction.policies)
      .split(json, ofType: slot.key.typeName)?.stored ?? record
  }

  /// nil for an entity that is not in a file.
  private mutating func connection(for slot: Slot) throws(Graph.StoreError) -> Connection? {
    guard let connection = transaction.connection else { return nil }
    if type?.name != slot.key.typeName {
      let type = try transaction.known(slot.key.typeName)
      self.type = type
      number = type.isTransient ? nil : type.number
      indexes = try indexes(connection)
    }
    return type?.isTransient == true ? nil : connection
  }

  private func indexes(_ connection: Connection) throws(Graph.StoreError) -> IndexMaintenance? {
    guard let number else { return nil }
    if let known = transaction.slots.indexes[number] { return known.isEmpty ? nil : known }
    let indexes = try IndexMaintenance(type: number, on: connection)
    transaction.slots.indexes[number] = indexes
    return indexes.isEmpty ? nil : indexes
  }
}
