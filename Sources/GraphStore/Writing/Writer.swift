import Dispatch
import GraphQLRuntime
import Synchronization

/// The one background writer: transactions run one after another, in the order of their calls.
///
/// `@unchecked Sendable` holds since the cache is used on the queue only; the rest is Sendable.
final class Writer: @unchecked Sendable {
  private let queue = DispatchQueue(label: "treeswift.store.writer", qos: .utility)
  private let policies: Policies
  private let file: StoreFile?
  private let committed: CommittedState
  private let now: @Sendable () -> Int64
  private let publish: @Sendable (ChangeSet) -> Void
  private let cache = RecordCache()

  init(
    policies: Policies, file: StoreFile?, committed: CommittedState,
    now: @escaping @Sendable () -> Int64, publish: @escaping @Sendable (ChangeSet) -> Void
  ) {
    self.policies = policies
    self.file = file
    self.committed = committed
    self.now = now
    self.publish = publish
  }

  /// Runs `body` on the writer's queue in a transaction, and publishes what it changed.
  ///
  /// - Throws: what `body` throws, after everything it did was undone; `StoreError`.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Swift.Result { try self.transaction(body) })
      }
    }
  }

  private func transaction<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
    defer { cache.rollback() }
    guard let file else { return try run(body, on: nil) { $0() } }
    return try file.write { connection in
      cache.validate(dataVersion: try connection.integer(.dataVersion))
      return try run(body, on: connection) { publishMemory throws(StoreError) in
        try connection.run(.commit)
        publishMemory()
      }
    }
  }

  /// - Parameter commit: commits, and calls what it is given as part of that.
  private func run<Result>(
    _ body: (Transaction) throws -> Result, on connection: Connection?,
    commit: (() -> Void) throws(StoreError) -> Void
  ) throws -> Result {
    let transaction = Transaction(
      policies: policies, file: file, connection: connection, cache: cache,
      memory: committed.memory)
    let result: Result
    do {
      defer { transaction.end() }
      result = try body(transaction)
    }
    let flushed = try transaction.flush(now: now())
    try committed.change { memory throws(StoreError) in
      try commit { memory = flushed.memory }
    }
    cache.commit()
    if !flushed.changes.isEmpty { publish(flushed.changes) }
    return result
  }
}

/// The table in memory as of the last commit. A commit to the file happens under its lock, so that a
/// snapshot of both is of one moment.
final class CommittedState: Sendable {
  private let table = Mutex(MemoryTable())

  var memory: MemoryTable { table.withLock { $0 } }

  func change(_ body: (inout MemoryTable) throws(StoreError) -> Void) throws(StoreError) {
    try table.withLock { table throws(StoreError) in try body(&table) }
  }

  /// The table, and what `body` makes while nothing can be committed.
  func snapshot<T>(
    _ body: () throws(StoreError) -> sending T
  ) throws(StoreError) -> (memory: MemoryTable, value: T) {
    try table.withLock { table throws(StoreError) in (table, try body()) }
  }
}
