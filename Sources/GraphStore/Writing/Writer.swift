import Dispatch
import GraphQLRuntime

/// The one background writer: transactions run one after another, in the order of their calls.
///
/// `@unchecked Sendable` holds since the slots and the planner are used on the queue only; the rest is Sendable.
final class Writer: @unchecked Sendable {
  private let queue = DispatchQueue(label: "treeswift.store.writer", qos: .utility)
  private let committed: CommittedRecords
  private let now: @Sendable () -> Int64
  private let publish: @Sendable (CommittedChanges) -> Void
  private let slots = SlotTable()
  private let planner: GraphQL.StoragePlanner

  init(
    committed: CommittedRecords, now: @escaping @Sendable () -> Int64,
    publish: @escaping @Sendable (CommittedChanges) -> Void
  ) {
    self.committed = committed
    self.now = now
    self.publish = publish
    planner = committed.policies.makePlanner()
  }

  /// Runs `body` on the writer's queue in a transaction, and publishes what it changed.
  ///
  /// - Throws: what `body` throws, after everything it did was undone; `StoreError`.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      perform(body) { continuation.resume(with: $0) }
    }
  }

  /// The same, with a completion that is called on the writer's queue.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    queue.async { completion(Swift.Result { try self.transaction(body) }) }
  }

  /// Leaves nothing of what was deleted in the file or its log.
  func scrub() async throws {
    guard let file = committed.file else { return }
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try file.scrub() }) }
    }
  }

  private func transaction<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
    guard let file = committed.file else {
      slots.begin(dataVersion: nil)
      return try run(body, on: nil) { $0() }
    }
    return try file.write { connection in
      slots.begin(dataVersion: try connection.integer(.dataVersion))
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
      committed: committed, connection: connection, slots: slots, planner: planner)
    defer { transaction.rollback() }
    let result: Result
    do {
      defer { transaction.end() }
      result = try body(transaction)
    }
    let flushed = try transaction.flush(now: now())
    try committed.change { memory throws(StoreError) in
      try commit { memory = flushed.memory }
    }
    transaction.commit()
    if !flushed.changes.isEmpty { publish(flushed.changes) }
    return result
  }
}
