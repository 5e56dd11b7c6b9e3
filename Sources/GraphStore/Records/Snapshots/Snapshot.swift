import GraphJSON
import GraphQLRuntime

/// The committed data at one time, in the file and in memory. For one task, during one call.
final class Snapshot: RecordSource {
  private let committed: CommittedRecords
  private let connection: DatabaseConnection?
  private let memory: MemoryTable

  var policies: Policies { committed.policies }

  init(committed: CommittedRecords, connection: DatabaseConnection?, memory: MemoryTable) {
    self.committed = committed
    self.connection = connection
    self.memory = memory
  }

  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    committed.uses?.note(key)
    guard let (file, connection) = fileAndConnection(for: key.typeName) else { return memory[key] }
    guard let number = try file.typeNumbers.number(of: key.typeName, on: connection) else {
      return nil
    }
    return try connection.record(type: number, key: key.key).map {
      memory.completing($0, of: key)
    }
  }

  func forEachRecord(
    ofType name: String, _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) {
    guard let (file, connection) = fileAndConnection(for: name) else {
      for (key, json) in memory.records(ofType: name) {
        guard try body(key, json) else { return }
      }
      return
    }
    guard let number = try file.typeNumbers.number(of: name, on: connection) else { return }
    try connection.forEachRecord(type: number) { key, json throws(Graph.StoreError) in
      try body(key, memory.completing(json, name, key))
    }
  }

  func forEachRecord(
    ofType name: String, by query: IndexQuery,
    _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) -> Bool {
    guard let (file, connection) = fileAndConnection(for: name),
      let index = policies.indexes(ofType: name).first(where: { $0.path == query.range.path }),
      let type = try file.typeNumbers.number(of: name, on: connection),
      let number = try connection.index(type: type, index)
    else { return false }
    try connection.forEachRecord(index: number, type: type, query) {
      key, json throws(Graph.StoreError) in
      try body(key, memory.completing(json, name, key))
    }
    return true
  }

  func count(ofType name: String) throws(Graph.StoreError) -> Int {
    guard let (file, connection) = fileAndConnection(for: name) else {
      return memory.count(ofType: name)
    }
    guard let number = try file.typeNumbers.number(of: name, on: connection) else { return 0 }
    return try connection.count(type: number)
  }

  /// The number of entities of each type.
  func counts() throws(Graph.StoreError) -> [String: Int] {
    var counts = memory.counts
    counts = counts.filter { !$0.key.utf8.contains(UInt8(ascii: ".")) }
    guard let connection else { return counts }
    let statement = try connection.prepared(.countByType)
    defer { statement.reset() }
    while try statement.step() {
      // The rows of connections are not objects of their own.
      let name = statement.text(0)
      if name.utf8.contains(UInt8(ascii: ".")) { continue }
      // Rows from a time when the type had another policy do not count.
      if policies.isTransient(name) { continue }
      counts[name, default: 0] += Int(statement.integer(1))
    }
    return counts
  }

  /// The age of the oldest of the entities; nil if it is more than their types or `maximumAge`
  /// allow.
  func age(
    of keys: Set<GraphQL.EntityKey>, maximumAge: Duration?
  ) throws(Graph.StoreError) -> Duration? {
    let now = committed.now()
    var oldest = Duration.zero
    for key in keys where !key.isOfConnection {
      let arrival = try timeOfArrival(key) ?? 0
      let age = Duration.milliseconds(max(now - arrival, 0))
      let allowed = [maximumAge, policies.policy(ofType: key.typeName).maximumAge].compactMap { $0 }
      guard allowed.allSatisfy({ age < $0 }) else { return nil }
      // A time that is further in the future than a correction shows that the clock was set back, so
      // the age is unknown.
      guard allowed.isEmpty || arrival - now <= Freshness.correction else { return nil }
      oldest = max(oldest, age)
    }
    return oldest
  }

  /// When a response last contained the entity, in milliseconds since 1970.
  private func timeOfArrival(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> Int64? {
    guard let (file, connection) = fileAndConnection(for: key.typeName) else {
      return memory.time(of: key)
    }
    guard let number = try file.typeNumbers.number(of: key.typeName, on: connection) else {
      return nil
    }
    let statement = try connection.prepared(.timeOfArrival)
    statement.bind(number, at: 1)
    statement.bind(key.key, at: 2)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  var fieldErrors: FieldErrors {
    get throws(Graph.StoreError) {
      var errors = memory.errors
      if let connection { errors.merge(try connection.fieldErrors()) }
      return errors
    }
  }

  /// The file, for types that are kept in one.
  private func fileAndConnection(for typeName: String) -> (StoreFile, DatabaseConnection)? {
    guard let file = committed.file, let connection, !policies.isTransient(typeName) else {
      return nil
    }
    return (file, connection)
  }
}
