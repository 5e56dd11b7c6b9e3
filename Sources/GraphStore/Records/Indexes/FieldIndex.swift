import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStorage

/// A field that is declared queryable, whose values are kept in a table next to the records.
///
/// A table instead of an SQLite index over the JSON of the records: the index would parse each
/// record at every update, which cost 3.3 µs for two fields, whereas the table costs nothing as
/// long as the values stay.
struct FieldIndex: Sendable, Hashable {
  /// The names of the fields in the path: `price.amount`.
  let path: String
  let kind: GraphQL.LeafKind
  private let steps: [[UInt8]]

  init(path: String, kind: GraphQL.LeafKind) {
    self.path = path
    self.kind = kind
    steps = path.split(separator: ".").map { Array($0.utf8) }
  }

  /// The value in a record.
  func value(in record: JSONDocument) -> OrderedValue {
    var index = JSONDocument.rootIndex
    for step in steps {
      guard record.kind(at: index) == .object,
        let next = record.member(step, of: index)
      else { return .nothing }
      index = next
    }
    return OrderedValue(record, at: index, kind)
  }
}

/// Values from one to another, both included.
struct FieldRange: Sendable, Hashable {
  let path: String
  /// nil if there is no least, or no greatest, value.
  var lower: OrderedValue?
  var upper: OrderedValue?

  var isOneValue: Bool { lower != nil && lower == upper }
}

/// A fetch's requirements of an index. The resulting rows are checked again, so a range may be too
/// wide.
struct IndexQuery: Sendable {
  enum Order: Sendable {
    case insertion, ascending, descending
  }

  let range: FieldRange
  let order: Order
}

extension Statement {
  /// Binds a value in the table's form: nothing is less than every number, numbers are less than
  /// texts. A field is never null there, as it is part of the key.
  func bind(_ value: OrderedValue, at position: Int32) {
    switch value {
    case .nothing: bind(-Double.infinity, at: position)
    case .number(let number): bind(number, at: position)
    case .text(let text): bind(text, at: position)
    }
  }
}

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

/// Reports each field once whose filter or sort order makes a fetch read every object of its type.
final class ScanNotices: Sendable {
  private let reported = Locked<Set<String>>([])
  private let report: @Sendable (String) -> Void

  init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  func note(_ paths: [String], ofType typeName: String) {
    for path in paths where reported.withLock({ $0.insert("\(typeName).\(path)").inserted }) {
      report(
        "\(typeName).\(path) is used in a fetch, but it has no index; add it to the `queryable` fields"
      )
    }
  }

  /// The default of a store: a debug build prints it, another does not.
  static var standard: (@Sendable (String) -> Void)? {
    #if DEBUG
      { FileHandle.standardError.write(Data("GraphStore: \($0)\n".utf8)) }
    #else
      nil
    #endif
  }
}
