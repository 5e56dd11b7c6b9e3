import GraphJSON
import GraphQLRuntime

/// The committed data at one time, in the file and in memory, and the changes that a client expects on top
/// of it. For one task, during one call.
final class Snapshot: RecordSource {
  private let committed: CommittedRecords
  private let connection: DatabaseConnection?
  private let memory: MemoryTable
  /// nil if no change is expected.
  let expected: ExpectedRecords?
  private lazy var planner = policies.makePlanner()

  var policies: Policies { committed.policies }

  init(
    committed: CommittedRecords, connection: DatabaseConnection?, memory: MemoryTable,
    expected: ExpectedRecords? = nil
  ) {
    self.committed = committed
    self.connection = connection
    self.memory = memory
    self.expected = expected
  }

  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    guard let expected else { return try stored(key) }
    if let entry = expected[key] {
      return entry.json.map { expected.hiding($0, of: key) { planner } }
    }
    return try stored(key).map { expected.hiding($0, of: key) { planner } }
  }

  private func stored(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
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
    guard let expected else { return try forEachStored(ofType: name, body) }
    var goesOn = true
    try forEachStored(ofType: name) { text, json throws(Graph.StoreError) in
      let key = GraphQL.EntityKey(typeName: name, key: text)
      let entry = expected[key]
      guard let current = entry.map(\.json) ?? json else { return true }
      goesOn = try body(text, expected.hiding(current, of: key) { planner })
      return goesOn
    }
    for key in expected.created where goesOn && key.typeName == name {
      if let json = try record(key) { goesOn = try body(key.key, json) }
    }
  }

  private func forEachStored(
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

  /// Expected changes are in no index, so a type with such changes has none here.
  func forEachRecord(
    ofType name: String, by query: IndexQuery,
    _ body: (String, JSONDocument) throws(Graph.StoreError) -> Bool
  ) throws(Graph.StoreError) -> Bool {
    if expected?.affects(name) == true { return false }
    guard let (file, connection) = fileAndConnection(for: name),
      let index = policies.indexes(ofType: name).first(where: { $0.path == query.range.path }),
      let type = try file.typeNumbers.number(of: name, on: connection),
      let number = try connection.index(type: type, index)
    else { return false }
    try connection.forEachRecord(index: number, type: type, query) {
      key, json throws(Graph.StoreError) in
      let record = memory.completing(json, name, key)
      guard let expected else { return try body(key, record) }
      return try body(
        key,
        expected.hiding(record, of: GraphQL.EntityKey(typeName: name, key: key)) { planner })
    }
    return true
  }

  func count(ofType name: String) throws(Graph.StoreError) -> Int {
    try storedCount(ofType: name) + (expected?.countChange(ofType: name) ?? 0)
  }

  private func storedCount(ofType name: String) throws(Graph.StoreError) -> Int {
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
    guard let connection else { return adding(expected, to: counts) }
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
    return adding(expected, to: counts)
  }

  private func adding(_ expected: ExpectedRecords?, to counts: [String: Int]) -> [String: Int] {
    guard let expected else { return counts }
    var counts = counts
    for name in expected.objectTypeNames {
      let count = counts[name, default: 0] + expected.countChange(ofType: name)
      counts[name] = count > 0 ? count : nil
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
      let known = try timeOfArrival(key)
      if isOnlyExpected(key, arrival: known) { continue }
      let arrival = known ?? 0
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

  /// Whether no response has contained the entity, which is only expected to be created and so has no age.
  private func isOnlyExpected(_ key: GraphQL.EntityKey, arrival: Int64?) -> Bool {
    if let entry = expected?[key] { return !entry.isStored && entry.json != nil }
    // The row of such an entity has no time.
    if let arrival { return arrival == 0 }
    return memory.overlays.byKey[key].map { $0.base == nil } ?? false
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
