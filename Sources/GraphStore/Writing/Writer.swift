import Dispatch
import GraphQLRuntime

/// The one background writer: transactions run one after another, in the order of their calls.
// Safe: the slots and the planner are used on the queue only; the rest is Sendable.
final class Writer: @unchecked Sendable {
  private let queue = DispatchQueue(label: "treeswift.store.writer", qos: .utility)
  private let committed: CommittedRecords
  private let now: @Sendable () -> Int64
  private let publish: @Sendable (CommittedChanges) -> Void
  private let slots = SlotTable()
  private let planner: GraphQL.StoragePlanner
  private let committing = Locked<(@Sendable () -> Void)?>(nil)
  /// What is on the queue, or runs in its turn.
  private let enqueued = Locked(0)
  private let foreign = Locked<(@Sendable () -> Void)?>(nil)

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
    enqueue { completion(Swift.Result { try self.transaction(body) }) }
  }

  /// The same for a `body` that takes no longer than a few milliseconds: where nobody writes it runs on
  /// the calling thread, which spares two threads their waking up. That is most of the time of a small
  /// write.
  ///
  /// The thread is one of the few that run all tasks of the program, so it is not kept waiting: not by
  /// another process, not by writes that were there before, and hardly by the disk, which is flushed by
  /// the commit that begins the log anew and by checkpoints, which have their turns on the queue.
  func performShort<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    if let result = performNow(body) { return try result.get() }
    return try await perform(body)
  }

  private func performNow<Result>(
    _ body: (Transaction) throws -> Result
  ) -> Swift.Result<Result, any Error>? {
    let isFirst = enqueued.withLock { enqueued in
      guard enqueued == 0 else { return false }
      enqueued = 1
      return true
    }
    guard isFirst else { return nil }
    defer { enqueued.withLock { $0 -= 1 } }
    return queue.sync {
      guard let lock = committed.file?.lock else { return Swift.Result { try transaction(body) } }
      guard lock.tryToTake() else { return nil }
      defer { lock.release() }
      return Swift.Result { try transaction(isLocked: true, body) }
    }
  }

  private func enqueue(_ work: @escaping @Sendable () -> Void) {
    enqueued.withLock { $0 += 1 }
    queue.async { [self] in
      work()
      enqueued.withLock { $0 -= 1 }
    }
  }

  /// Leaves nothing of what was deleted in the file or its log.
  func scrub() async throws {
    guard let file = committed.file else { return }
    try await withCheckedThrowingContinuation { continuation in
      enqueue { continuation.resume(with: Swift.Result { try file.scrub() }) }
    }
  }

  /// - Parameter isLocked: whether the file is held against other processes already.
  private func transaction<Result>(
    isLocked: Bool = false, _ body: (Transaction) throws -> Result
  ) throws -> Result {
    do {
      let result = try commit(isLocked: isLocked, body)
      if let file = committed.file, file.isCheckpointDue { enqueue { file.checkpoint() } }
      committing.withLock { $0 }?()
      return result
    } catch {
      slots.forgetUndone()
      throw error
    }
  }

  private func commit<Result>(
    isLocked: Bool, _ body: (Transaction) throws -> Result
  ) throws -> Result {
    guard let file = committed.file else {
      slots.begin(dataVersion: nil)
      return try run(body, on: nil) { $0() }
    }
    return try file.write(isLocked: isLocked) { connection in
      try begin(connection)
      return try run(body, on: connection) { publishMemory throws(StoreError) in
        try connection.run(.commit)
        publishMemory()
      }
    }
  }

  /// Calls `body` on the writer's queue after each commit.
  func afterCommit(_ body: @escaping @Sendable () -> Void) {
    committing.withLock { $0 = body }
  }

  /// Forgets what another process may have changed.
  private func begin(_ connection: Connection) throws(StoreError) {
    let version = try connection.integer(.dataVersion)
    let isForeign = slots.dataVersion.map { $0 != version } ?? false
    slots.begin(dataVersion: version)
    if isForeign { foreign.withLock { $0 }?() }
  }

  /// Calls `body` on the writer's queue when another process was found to have committed.
  func onForeignCommit(_ body: @escaping @Sendable () -> Void) {
    foreign.withLock { $0 = body }
    // From here on a commit of another process is told from none.
    queue.sync { checkNow() }
  }

  /// Looks whether another process has committed.
  func checkForeignCommits() {
    enqueue { self.checkNow() }
  }

  private func checkNow() {
    // A file that cannot be read now is looked at again with the next write.
    if let connection = committed.file?.writer { try? begin(connection) }
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
    try transaction.forgetErrorsOfDeleted()
    let flushed = try transaction.flush(now: now())
    try committed.change { memory throws(StoreError) in
      try commit { memory = flushed.memory }
    }
    transaction.commit()
    if !flushed.changes.isEmpty { publish(flushed.changes) }
    return result
  }
}
