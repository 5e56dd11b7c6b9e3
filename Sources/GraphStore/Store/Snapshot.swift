import GraphJSON
import GraphQLRuntime

/// What is committed at one moment, in the file and in memory. For one task, during one call.
final class Snapshot: RecordSource {
  let policies: Policies
  private let file: StoreFile?
  private let connection: Connection?
  private let memory: MemoryTable

  init(policies: Policies, file: StoreFile?, connection: Connection?, memory: MemoryTable) {
    self.policies = policies
    self.file = file
    self.connection = connection
    self.memory = memory
  }

  func record(_ key: GraphQL.EntityKey) throws(StoreError) -> JSONDocument? {
    guard let (file, connection) = place(of: key.typeName) else { return memory[key] }
    guard let number = try file.types.number(of: key.typeName, on: connection) else { return nil }
    return try connection.record(type: number, key: key.key)
  }

  func forEachRecord(
    ofType name: String, _ body: (String, JSONDocument) throws(StoreError) -> Bool
  ) throws(StoreError) {
    guard let (file, connection) = place(of: name) else {
      for (key, json) in memory.records(ofType: name) {
        guard try body(key, json) else { return }
      }
      return
    }
    guard let number = try file.types.number(of: name, on: connection) else { return }
    try connection.forEachRecord(type: number, body)
  }

  func forEachRecord(
    ofType name: String, by query: IndexQuery,
    _ body: (String, JSONDocument) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    guard let (file, connection) = place(of: name),
      let index = policies.indexes(ofType: name).first(where: { $0.path == query.range.path }),
      let type = try file.types.number(of: name, on: connection),
      let number = try connection.index(type: type, index)
    else { return false }
    try connection.forEachRecord(index: number, query, body)
    return true
  }

  func count(ofType name: String) throws(StoreError) -> Int {
    guard let (file, connection) = place(of: name) else { return memory.count(ofType: name) }
    guard let number = try file.types.number(of: name, on: connection) else { return 0 }
    return try connection.count(type: number)
  }

  /// How many entities there are of each type.
  func counts() throws(StoreError) -> [String: Int] {
    var counts = memory.counts
    counts = counts.filter { !$0.key.utf8.contains(UInt8(ascii: ".")) }
    guard let connection else { return counts }
    let statement = try connection.prepared(.countByType)
    defer { statement.reset() }
    while try statement.step() {
      // The rows of connections are no objects of their own.
      let name = statement.text(0)
      if name.utf8.contains(UInt8(ascii: ".")) { continue }
      counts[name, default: 0] += Int(statement.integer(1))
    }
    return counts
  }

  /// The file, for types that are kept in one.
  private func place(of typeName: String) -> (StoreFile, Connection)? {
    guard let file, let connection, !policies.isTransient(typeName) else { return nil }
    return (file, connection)
  }
}
