import GraphJSON
import GraphQLRuntime

/// The committed data, in the file and in memory.
final class CommittedRecords: Sendable {
  let policies: Policies
  /// nil in a store without a file.
  let file: StoreFile?
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// nil for a store without a size budget.
  let uses: UseTimes?
  /// The table in memory as of the last commit. The file is committed under the lock of the table, so
  /// that a snapshot contains both as of the same commit.
  private let table = Locked(MemoryTable())

  init(policies: Policies, file: StoreFile?, isBudgeted: Bool, now: @escaping @Sendable () -> Int64)
  {
    uses = isBudgeted ? UseTimes(now: now) : nil
    self.policies = policies
    self.file = file
    self.now = now
  }

  var memory: MemoryTable { table.withLock { $0 } }

  /// Commits: `body` commits to the file and replaces the table.
  func change(_ body: (inout MemoryTable) throws(Graph.StoreError) -> Void) throws(Graph.StoreError)
  {
    try table.withLock { table throws(Graph.StoreError) in try body(&table) }
  }

  /// Calls `body` with a snapshot of the committed data.
  func withSnapshot<T>(_ body: (Snapshot) throws(Graph.StoreError) -> T) throws(Graph.StoreError)
    -> T
  {
    guard let file else {
      return try body(Snapshot(committed: self, connection: nil, memory: memory))
    }
    do {
      let (memory, connection) = try table.withLock { table throws(Graph.StoreError) in
        (table, try file.pool.begin())
      }
      defer { file.pool.end(connection) }
      return try body(
        Snapshot(committed: self, connection: connection, memory: memory))
    } catch {
      file.note(error)
      throw error
    }
  }

  /// The number of logouts in the file; 0 in a store without one.
  func generation() throws(Graph.StoreError) -> UInt64 {
    try file?.generation() ?? 0
  }

  /// One record, read with one statement.
  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    uses?.note(key)
    if policies.leadsToTransient(key.typeName) {
      return try withSnapshot { snapshot throws(Graph.StoreError) in try snapshot.record(key) }
    }
    let found = try inFile(key.typeName) { connection, number throws(Graph.StoreError) in
      try number.map { number throws(Graph.StoreError) in
        try connection.record(type: number, key: key.key)
      } ?? nil
    }
    return found ?? memory[key]
  }

  /// Calls `body` with a connection and the number of a type, nil if the file has none; nil for a
  /// type that is kept in memory. A single statement is a snapshot by itself.
  private func inFile<T>(
    _ typeName: String, _ body: (DatabaseConnection, Int64?) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T? {
    guard let file, !policies.isTransient(typeName) else { return nil }
    do throws(Graph.StoreError) {
      return try file.pool.read { connection throws(Graph.StoreError) in
        try body(connection, try file.typeNumbers.number(of: typeName, on: connection))
      }
    } catch {
      file.note(error)
      throw error
    }
  }
}

extension CommittedRecords: RecordReading {
  func withRecords<T>(
    _ body: (any RecordSource) throws(Graph.StoreError) -> T
  ) throws(Graph.StoreError) -> T {
    try withSnapshot { snapshot throws(Graph.StoreError) in try body(snapshot) }
  }

  func text(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> GraphQL.StoredRecords? {
    if policies.leadsToTransient(key.typeName) { return nil }
    uses?.note(key)
    return try inFile(key.typeName) { connection, number throws(Graph.StoreError) in
      var records = GraphQL.StoredRecords()
      if let number { try connection.append(type: number, key: key.key, to: &records) }
      return records
    }
  }

  func texts(
    ofType name: String, offset: Int, limit: Int?
  ) throws(Graph.StoreError) -> GraphQL.StoredRecords? {
    if policies.leadsToTransient(name) { return nil }
    return try inFile(name) { connection, number throws(Graph.StoreError) in
      var records = GraphQL.StoredRecords()
      if let number {
        try connection.append(type: number, offset: offset, limit: limit, to: &records)
      }
      return records
    }
  }

  var links: StoredGraph {
    // A link whose target cannot be read leads to an object with only its key.
    StoredGraph(policies: policies) { [self] key in try? record(key) }
  }
}
