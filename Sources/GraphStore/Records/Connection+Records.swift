#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import GraphJSON
import GraphQLRuntime

/// A record and the row that it is in.
struct StoredRow: Sendable {
  let json: JSONDocument
  let id: Int64
}

extension Connection {
  /// The record of an entity. One that is not JSON any more counts as missing.
  func record(type: Int64, key: String) throws(StoreError) -> StoredRow? {
    let statement = try prepared(.record)
    statement.bind(type, at: 1)
    statement.bind(key, at: 2)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let id = statement.integer(1)
    return statement.withBytes(0, JSONDocument.init(record:)).map { StoredRow(json: $0, id: id) }
  }

  func forEachRecord(
    type: Int64, _ body: (String, JSONDocument) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try prepared(.recordsOfType)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    while try statement.step() {
      guard let json = statement.withBytes(1, JSONDocument.init(record:)) else { continue }
      guard try body(statement.text(0), json) else { return }
    }
  }

  func count(type: Int64) throws(StoreError) -> Int {
    let statement = try prepared(.countOfType)
    statement.bind(type, at: 1)
    defer { statement.reset() }
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// - Returns: the row's number.
  func insert(
    type: Int64, key: String, record: JSONDocument, changed: Int64
  ) throws(StoreError) -> Int64 {
    let statement = try prepared(.insertRecord)
    statement.bind(type, at: 1)
    statement.bind(key, at: 2)
    statement.bind(record, at: 3)
    statement.bind(changed, at: 4)
    defer { statement.reset() }
    // A damaged row that is overwritten keeps its number, which only the statement knows.
    do {
      return try statement.step() ? statement.integer(0) : lastInsertedRow
    } catch {
      throw error.asDamage
    }
  }

  func update(id: Int64, record: JSONDocument, changed: Int64) throws(StoreError) {
    let statement = try prepared(.updateRecord)
    statement.bind(id, at: 1)
    statement.bind(record, at: 2)
    statement.bind(changed, at: 3)
    try statement.finish()
  }

  func delete(id: Int64) throws(StoreError) {
    let statement = try prepared(.deleteRecord)
    statement.bind(id, at: 1)
    try statement.finish()
  }
}

extension Statement {
  func bind(_ record: JSONDocument, at position: Int32) {
    record.withSource(at: JSONDocument.rootIndex) {
      bind(text: UnsafeRawBufferPointer($0), at: position)
    }
  }
}

extension JSONDocument {
  /// The record with those bytes; nil when they are no JSON object.
  convenience init?(record bytes: UnsafeRawBufferPointer) {
    do {
      try self.init(parsing: bytes)
    } catch {
      return nil
    }
    guard kind(at: JSONDocument.rootIndex) == .object else { return nil }
  }

  /// Whether two records have the same bytes.
  func isSame(as other: JSONDocument) -> Bool {
    guard self !== other else { return true }
    let root = JSONDocument.rootIndex
    return withSource(at: root) { mine in
      other.withSource(at: root) { theirs in
        mine.hasSameBytes(as: theirs)
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}
