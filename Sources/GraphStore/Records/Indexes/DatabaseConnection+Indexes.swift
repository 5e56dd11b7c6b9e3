import GraphJSON
import GraphQLRuntime
import GraphStorage

extension DatabaseConnection {
  /// The indexes of a type in the file, by their numbers.
  func indexes(type: Int64) throws(Graph.StoreError) -> [Int64: FieldIndex] {
    let statement = try prepared(.indexesOfType)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    var found: [Int64: FieldIndex] = [:]
    while try statement.step() {
      guard let kind = GraphQL.LeafKind(name: statement.text(2)) else { continue }
      found[statement.integer(0)] = FieldIndex(path: statement.text(1), kind: kind)
    }
    return found
  }

  /// The numbers of all indexes of a type, including those of an unknown kind.
  func indexNumbers(type: Int64) throws(Graph.StoreError) -> [Int64] {
    let statement = try prepared(.indexesOfType)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }

  /// The number of one index; nil if the file does not have it.
  func index(type: Int64, _ index: FieldIndex) throws(Graph.StoreError) -> Int64? {
    let statement = try prepared(.index)
    statement.bind(type, at: 1)
    statement.bind(index.path, at: 2)
    statement.bind(index.kind.name, at: 3)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  func addIndex(type: Int64, _ index: FieldIndex) throws(Graph.StoreError) -> Int64 {
    let statement = try prepared(.insertIndex)
    statement.bind(type, at: 1)
    statement.bind(index.path, at: 2)
    statement.bind(index.kind.name, at: 3)
    do { try statement.runAndReset() } catch { throw error.asDamage }
    return lastInsertedRow
  }

  func dropIndex(_ number: Int64) throws(Graph.StoreError) {
    for sql in [SQL.deleteIndexedValues, .deleteIndex] {
      let statement = try prepared(sql)
      statement.bind(number, at: 1)
      try statement.runAndReset()
    }
  }

  func insertValue(_ value: OrderedValue, index: Int64, entity: Int64) throws(Graph.StoreError) {
    try change(.insertIndexedValue, value, index, entity)
  }

  func deleteValue(_ value: OrderedValue, index: Int64, entity: Int64) throws(Graph.StoreError) {
    try change(.deleteIndexedValue, value, index, entity)
  }

  private func change(
    _ sql: SQL, _ value: OrderedValue, _ index: Int64, _ entity: Int64
  ) throws(Graph.StoreError) {
    let statement = try prepared(sql)
    statement.bind(index, at: 1)
    statement.bind(value, at: 2)
    statement.bind(entity, at: 3)
    try statement.runAndReset()
  }

  /// Deletes the unknown value of an entity whose record can no longer be read.
  func deleteAnyValue(index: Int64, entity: Int64) throws(Graph.StoreError) {
    let statement = try prepared(.deleteAnyIndexedValue)
    statement.bind(index, at: 1)
    statement.bind(entity, at: 2)
    try statement.runAndReset()
  }

  /// Calls `body` with the records in a range of an index until it returns false.
  func forEachRecord(
    index: Int64, type: Int64, _ query: IndexQuery,
    _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) {
    let sql: SQL =
      switch query.order {
      case .insertion: .recordsInRange
      case .ascending: .recordsAscending
      case .descending: .recordsDescending
      }
    let statement = try prepared(sql)
    statement.bind(index, at: 1)
    statement.bind(query.range.lower ?? .nothing, at: 2)
    if let upper = query.range.upper {
      statement.bind(upper, at: 3)
    } else {
      statement.bindGreatest(at: 3)
    }
    defer { statement.reset() }
    while try statement.step() {
      guard let json = statement.json(type) else { continue }
      guard try body(statement.text(2), json) else { return }
    }
  }
}
