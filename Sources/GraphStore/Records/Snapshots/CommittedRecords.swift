import GraphJSON
import GraphQLRuntime

/// The committed data, in the file and in memory, and the changes that clients expect.
final class CommittedRecords: Sendable {
  /// Applies the expected changes to a snapshot of the committed data.
  typealias Replay =
    @Sendable (CommittedRecords, ExpectedChanges, MemoryTable, DatabaseConnection?) throws(Graph
    .StoreError) -> ExpectedRecords

  /// The state that a commit replaces at once.
  struct State: Sendable {
    var memory = MemoryTable()
    var expected = ExpectedChanges()
    /// Grows with each change.
    fileprivate(set) var version: UInt64 = 0
  }

  let policies: Policies
  /// nil in a store without a file.
  let file: StoreFile?
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// nil for a store without a size budget.
  let uses: UseTimes?
  /// The table in memory as of the last commit. The file is committed under this lock, so that a snapshot
  /// contains both as of the same commit.
  private let state = Locked(State())
  /// 1 while a change is expected. Reads without one do not wait for the lock.
  private let hasExpectedChanges = AtomicNumber(0)
  private let replay: Replay
  private let replays = ExpectedRecordsCache()

  init(
    policies: Policies, file: StoreFile?, isBudgeted: Bool, now: @escaping @Sendable () -> Int64,
    replay: @escaping Replay
  ) {
    self.replay = replay
    uses = isBudgeted ? UseTimes(now: now) : nil
    self.policies = policies
    self.file = file
    self.now = now
  }

  var memory: MemoryTable { state.withLock { $0.memory } }

  /// Whether a client expects a change.
  var isExpecting: Bool { hasExpectedChanges.load() != 0 }

  /// Commits: `body` commits to the file and replaces the state.
  func change<T: Sendable, E: Error>(_ body: (inout State) throws(E) -> T) throws(E) -> T {
    try state.withLock { state throws(E) in
      defer {
        state.version += 1
        hasExpectedChanges.store(state.expected.isEmpty ? 0 : 1)
        if state.expected.isEmpty { replays.removeAll() }
      }
      return try body(&state)
    }
  }

  /// Calls `body` with a snapshot of the committed data.
  func withSnapshot<T>(_ body: (Snapshot) throws(Graph.StoreError) -> T) throws(Graph.StoreError)
    -> T
  {
    guard let file else { return try body(snapshot(state.withLock { $0 }, nil)) }
    do {
      let (current, connection) = try state.withLock { state throws(Graph.StoreError) in
        (state, try file.pool.begin())
      }
      defer { file.pool.end(connection) }
      return try body(snapshot(current, connection))
    } catch {
      file.note(error)
      throw error
    }
  }

  private func snapshot(
    _ state: State, _ connection: DatabaseConnection?
  ) throws(Graph.StoreError) -> Snapshot {
    guard !state.expected.isEmpty else {
      return Snapshot(committed: self, connection: connection, memory: state.memory)
    }
    let expected = try replays.records(for: state.version, on: connection) {
      () throws(Graph.StoreError) in
      try replay(self, state.expected, state.memory, connection)
    }
    return Snapshot(
      committed: self, connection: connection, memory: state.memory, expected: expected)
  }

  /// The number of logouts in the file; 0 in a store without one.
  func generation() throws(Graph.StoreError) -> UInt64 {
    try file?.generation() ?? 0
  }

  /// One record, read with one statement.
  func record(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    uses?.note(key)
    if isExpecting || policies.leadsToTransient(key.typeName) {
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
    if isExpecting || policies.leadsToTransient(key.typeName) { return nil }
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
    if isExpecting || policies.leadsToTransient(name) { return nil }
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

/// When entities were last used in this run of the program, by a read or a response. Only kept for
/// a store with a size budget.
final class UseTimes: Sendable {
  /// With that many entities the table is cleared; then the rows' own times decide.
  private static let most = 100_000
  private let times = Locked<[GraphQL.EntityKey: Int64]>([:])
  private let now: @Sendable () -> Int64

  /// - Parameter now: milliseconds since 1970.
  init(now: @escaping @Sendable () -> Int64) { self.now = now }

  func note(_ key: GraphQL.EntityKey) {
    let now = now()
    times.withLock { times in
      if times.count >= Self.most { times = [:] }
      times[key] = now
    }
  }

  /// nil for an entity that was not used in this run.
  func time(of key: GraphQL.EntityKey) -> Int64? { times.withLock { $0[key] } }
}
