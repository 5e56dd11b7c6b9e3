import GraphJSON
import GraphQLRuntime

extension Transaction {
  /// Writes the changed rows, and gives what changed with the table in memory as it is now.
  ///
  /// - Parameter now: milliseconds since 1970.
  func flush(now: Int64) throws(StoreError) -> (changes: ChangeSet, memory: MemoryTable) {
    var result = ChangeSet()
    for slot in changed {
      switch (slot.row, slot.json) {
      case (nil, nil): break
      case (let row?, let json?):
        if row.json.isSame(as: json) {
          slot.rollback()
          continue
        }
        result.updated.insert(slot.key)
      case (nil, .some): result.inserted.insert(slot.key)
      case (.some, nil): result.deleted.insert(slot.key)
      }
      try write(slot, now: now)
    }
    return (result, memory)
  }

  private func write(_ slot: Slot, now: Int64) throws(StoreError) {
    guard let (file, connection) = place(of: slot.key.typeName) else {
      memory[slot.key] = slot.json
      slot.note(row: 0)
      return
    }
    switch (slot.row, slot.json) {
    case (let row?, let json?):
      try connection.update(id: row.id, record: json, changed: now)
      slot.note(row: row.id)
    case (nil, let json?):
      let type = try file.types.numberForWriting(slot.key.typeName, on: connection)
      let id = try connection.insert(type: type, key: slot.key.key, record: json, changed: now)
      slot.note(row: id)
    case (let row?, nil):
      try connection.delete(id: row.id)
    case (nil, nil): break
    }
  }

  /// Makes the changes what the writer knows to be stored.
  func commit() {
    for slot in changed {
      if let json = slot.json { slots.add(json) }
      slot.commit()
    }
    changed = []
  }

  func rollback() {
    for slot in changed { slot.rollback() }
    changed = []
  }
}
