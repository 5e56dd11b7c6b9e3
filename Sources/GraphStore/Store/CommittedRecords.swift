import GraphJSON
import GraphQLRuntime

/// What is committed, in the file and in memory.
final class CommittedRecords: Sendable {
  let policies: Policies
  /// nil in a store without a file.
  let file: StoreFile?
  /// The table in memory as of the last commit. A commit to the file happens under its lock, so that
  /// a snapshot of both is of one moment.
  private let table = Locked(MemoryTable())

  init(policies: Policies, file: StoreFile?) {
    self.policies = policies
    self.file = file
  }

  var memory: MemoryTable { table.withLock { $0 } }

  /// Commits: `body` does so to the file and replaces the table.
  func change(_ body: (inout MemoryTable) throws(StoreError) -> Void) throws(StoreError) {
    try table.withLock { table throws(StoreError) in try body(&table) }
  }

  /// Calls `body` with a snapshot of what is committed now.
  func withSnapshot<T>(_ body: (Snapshot) throws(StoreError) -> T) throws(StoreError) -> T {
    guard let file else {
      return try body(Snapshot(policies: policies, file: nil, connection: nil, memory: memory))
    }
    do {
      let (memory, connection) = try table.withLock { table throws(StoreError) in
        (table, try file.pool.begin())
      }
      defer { file.pool.end(connection) }
      return try body(
        Snapshot(policies: policies, file: file, connection: connection, memory: memory))
    } catch {
      file.note(error)
      throw error
    }
  }

  /// One record, read with one statement.
  func record(_ key: GraphQL.EntityKey) throws(StoreError) -> JSONDocument? {
    guard let file, !policies.isTransient(key.typeName) else { return memory[key] }
    do {
      return try file.pool.read { connection throws(StoreError) in
        guard let number = try file.types.number(of: key.typeName, on: connection) else {
          return nil
        }
        return try connection.record(type: number, key: key.key)
      }
    } catch {
      file.note(error)
      throw error
    }
  }
}

extension CommittedRecords: RecordReading {
  func withRecords<T>(
    _ body: (any RecordSource) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    try withSnapshot { snapshot throws(StoreError) in try body(snapshot) }
  }

  var links: StoredGraph {
    // A link whose target cannot be read leads to an object with its key alone.
    StoredGraph(policies: policies) { [self] key in try? record(key) }
  }
}
