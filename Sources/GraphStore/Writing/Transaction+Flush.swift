import GraphJSON
import GraphQLRuntime

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
