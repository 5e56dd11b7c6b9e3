import GraphJSON
import GraphQLRuntime

extension Transaction {
  /// Writes the changed rows, and gives what changed with the table in memory as it is now.
  ///
  /// - Parameter now: milliseconds since 1970.
  func flush(
    now: Int64
  ) throws(StoreError) -> (changes: CommittedChanges, memory: MemoryTable) {
    var result = CommittedChanges()
    var rows = RowWriter(file: committed.file, connection: connection, slots: slots, now: now)
    result.renamed = renamed
    for slot in changed {
      if slot.isBaseChanged { try writeBase(of: slot) }
      let (row, record) = (slot.row, slot.record)
      switch (row, record) {
      case (nil, nil): continue
      case (let row?, let record?):
        if row.record.isSame(as: record) {
          // A response has brought it, though readers see the same.
          if slot.isTold, slot.overlay != nil { _ = try rows.write(slot, row, record, policies) }
          slot.keepRow()
          continue
        }
        result.updated.append(slot.key)
      case (nil, .some): result.inserted.append(slot.key)
      case (.some, nil): result.deleted.append(slot.key)
      }
      if try !rows.write(slot, row, record, policies) {
        memory[slot.key] = slot.json
        slot.note(row: 0)
      }
    }
    return (result, memory)
  }

  /// Makes the changes what the writer knows to be stored.
  func commit() {
    for slot in changed { slots.add(slot.commit()) }
    changed = []
  }

  func rollback() {
    for slot in changed { slot.rollback() }
    changed = []
  }
}

/// Writes the rows of changed slots. Entities of one type come one after another.
private struct RowWriter {
  let file: StoreFile?
  let connection: Connection?
  let slots: SlotTable
  let now: Int64
  private var typeName = ""
  private var isTransient = false
  private var number: Int64?
  private var indexes: IndexMaintenance?

  init(file: StoreFile?, connection: Connection?, slots: SlotTable, now: Int64) {
    self.file = file
    self.connection = connection
    self.slots = slots
    self.now = now
  }

  /// False for an entity that is kept in memory.
  mutating func write(
    _ slot: Slot, _ row: StoredRow?, _ record: RecordText?, _ policies: Policies
  ) throws(StoreError) -> Bool {
    guard let file, let connection else { return false }
    if slot.key.typeName != typeName {
      typeName = slot.key.typeName
      isTransient = policies.isTransient(typeName)
      number = isTransient ? nil : try file.types.number(of: typeName, on: connection)
      indexes = try indexMaintenance(connection)
    }
    if isTransient { return false }
    if slot.isTold { slot.arrival = now }
    switch (row, record) {
    case (let row?, let record?):
      guard let type = number else { return false }
      try connection.update(
        id: row.id, type: type, record: record, changed: slot.isTold ? now : nil)
      try indexes?.update(entity: row.id, from: row.record, to: record, on: connection)
      slot.note(row: row.id)
    case (nil, let record?):
      if number == nil {
        number = try file.types.numberForWriting(typeName, on: connection)
        indexes = try indexMaintenance(connection)
      }
      guard let type = number else { return false }
      let id = try connection.insert(
        type: type, key: slot.key.key, record: record, changed: slot.isTold ? now : 0)
      slot.note(row: id)
      try indexes?.update(entity: id, from: nil, to: record, on: connection)
    case (let row?, nil):
      try connection.delete(id: row.id)
      try indexes?.update(entity: row.id, from: row.record, to: nil, on: connection)
    case (nil, nil): break
    }
    return true
  }

  private func indexMaintenance(
    _ connection: Connection
  ) throws(StoreError) -> IndexMaintenance? {
    guard let number else { return nil }
    if let known = slots.indexes[number] { return known }
    let indexes = try IndexMaintenance(type: number, on: connection)
    slots.indexes[number] = indexes
    return indexes
  }
}
