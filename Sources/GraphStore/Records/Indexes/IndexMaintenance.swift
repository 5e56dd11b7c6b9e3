/// Updates the indexes of one type while its rows are written.
struct IndexMaintenance {
  private let indexes: [Int64: FieldIndex]

  /// Uses the indexes that the file lists: another program may have opened it with other declarations.
  init(type: Int64, on connection: DatabaseConnection) throws(Graph.StoreError) {
    indexes = try connection.indexes(type: type)
  }

  var isEmpty: Bool { indexes.isEmpty }

  /// - Parameters:
  ///   - old: the record in the row; nil if there is no row.
  ///   - new: the new record; nil if it is deleted.
  func update(
    entity: Int64, from old: RecordText?, to new: RecordText?, on connection: DatabaseConnection
  ) throws(Graph.StoreError) {
    for (number, index) in indexes {
      let value = new?.json.map(index.value)
      if let old {
        if let json = old.json {
          let stored = index.value(in: json)
          if stored == value { continue }
          try connection.deleteValue(stored, index: number, entity: entity)
        } else {
          try connection.deleteAnyValue(index: number, entity: entity)
        }
      }
      if let value { try connection.insertValue(value, index: number, entity: entity) }
    }
  }
}
