import Dispatch
import GraphQLRuntime
import GraphStorage

/// The one background writer: transactions run one after another, in the order of their calls.
// Safe: the variables, the states and the planner are used only on the queue; the rest is Sendable.
final class Writer: @unchecked Sendable {
  let queue = DispatchQueue(label: "treeswift.store.writer", qos: .utility)
  let committed: CommittedRecords
  private let now: @Sendable () -> Int64
  private let publish: @Sendable (CommittedChanges) -> Void
  private let states = EntityStates()
  private let planner: GraphQL.StoragePlanner
  /// Whether the file's ``AppliedRenames`` already record that this store writes, and no other
  /// store has written since.
  private var hasNotedRenames = false
  /// Whether deleted data is left in the file or its log, as they could not be erased.
  private var hasUnerasedData = false
  /// nil in a store without a file.
  private let renames: DeclaredRenames?
  private let committing = Locked<(@Sendable (DatabaseConnection) -> Void)?>(nil)
  /// The number of items that are queued, or that run on a calling thread instead.
  private let enqueued = Locked(0)
  let foreign = Locked<(@Sendable () -> Void)?>(nil)
  let foreignCommitCheck = Locked(ForeignCommitCheck())

  init(
    committed: CommittedRecords, renames: DeclaredRenames?, now: @escaping @Sendable () -> Int64,
    publish: @escaping @Sendable (CommittedChanges) -> Void
  ) {
    self.committed = committed
    self.renames = renames
    self.now = now
    self.publish = publish
    planner = committed.policies.makePlanner()
  }

  /// Runs `body` on the writer's queue in a transaction, and publishes its changes.
  ///
  /// - Throws: errors of `body`, after all of its changes were undone; `Graph.StoreError`.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Graph.Transaction) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      perform(body) { continuation.resume(with: $0) }
    }
  }

  /// Runs `body` in the same way, and then calls `completion` on the writer's queue.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Graph.Transaction) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    let start = WaitLimit.now
    enqueue({ Swift.Result { try self.transaction(since: start, body) } }, completion: completion)
  }

  /// Runs a `body` that takes at most a few milliseconds in a transaction: on the calling thread if
  /// there is no other writer. This avoids waking two threads, which takes most of the time of a small
  /// write.
  ///
  /// The thread is one of the few that run all tasks of the program, so it must not wait: not for
  /// another process, not for earlier writes, and hardly for the disk. The disk is flushed by the
  /// commit that restarts the log and by checkpoints, which run on the queue.
  func performShort<Result: Sendable>(
    _ body: @escaping @Sendable (Graph.Transaction) throws -> Result
  ) async throws -> Result {
    if let result = performNow(body) { return try result.get() }
    return try await perform(body)
  }

  private func performNow<Result>(
    _ body: (Graph.Transaction) throws -> Result
  ) -> Swift.Result<Result, any Error>? {
    let isFirst = enqueued.withLock { enqueued in
      guard enqueued == 0 else { return false }
      enqueued = 1
      return true
    }
    guard isFirst else { return nil }
    defer { enqueued.withLock { $0 -= 1 } }
    return queue.sync {
      guard let writeLock = committed.file?.writeLock else {
        return Swift.Result { try transaction(body) }
      }
      // A forked process has no thread of the queue, so it must not wait for it.
      if writeLock.isInherited { return .failure(Graph.StoreError.inherited) }
      guard writeLock.tryToTake() else { return nil }
      defer { writeLock.release() }
      return Swift.Result { try transaction(hasWriteLock: true, body) }
    }
  }

  /// Calls `completion` when `work` is released, so that a caller that releases the store then closes its
  /// file.
  private func enqueue<Result>(
    _ work: @escaping @Sendable () -> Result, completion: @escaping @Sendable (Result) -> Void
  ) {
    enqueued.withLock { $0 += 1 }
    let item = Locked<(@Sendable () -> Result)?>(work)
    queue.async { [enqueued] in
      guard let result = item.withLock({ $0.take() })?() else { return }
      enqueued.withLock { $0 -= 1 }
      completion(result)
    }
  }

  /// Does nothing if the store is closed first, which moves the log as well.
  private func enqueueCheckpoint() {
    enqueued.withLock { $0 += 1 }
    queue.async { [weak self, enqueued] in
      self?.checkpoint()
      enqueued.withLock { $0 -= 1 }
    }
  }

  /// Moves the log into the file, or empties it if a logout could not.
  private func checkpoint() {
    guard let file = committed.file else { return }
    if hasUnerasedData, case .success = erase(file, waits: false) { return }
    file.checkpoint()
  }

  /// Erases deleted data from the file and its log.
  func erase() async throws(Graph.StoreError) {
    guard let file = committed.file else { return }
    let result: Result<Void, Graph.StoreError> = await withCheckedContinuation { continuation in
      enqueue({ self.erase(file) }) { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  private func erase(_ file: StoreFile, waits: Bool = true) -> Result<Void, Graph.StoreError> {
    let result = Result { () throws(Graph.StoreError) in try file.erase(waits: waits) }
    if case .failure = result { hasUnerasedData = true } else { hasUnerasedData = false }
    return result
  }

  /// - Parameters:
  ///   - hasWriteLock: whether the caller already has the write lock.
  ///   - start: when the caller started to wait, see ``WaitLimit``.
  private func transaction<Result>(
    hasWriteLock: Bool = false, since start: UInt64 = 0,
    _ body: (Graph.Transaction) throws -> Result
  ) throws -> Result {
    do {
      return try commit(hasWriteLock: hasWriteLock, since: start, body)
    } catch {
      states.forgetUndone()
      reportIfMoved()
      throw error
    }
  }

  private func commit<Result>(
    hasWriteLock: Bool, since start: UInt64, _ body: (Graph.Transaction) throws -> Result
  ) throws -> Result {
    guard let file = committed.file else {
      states.begin(version: nil)
      return try run(body, on: nil) { $0() }
    }
    return try file.write(hasWriteLock: hasWriteLock, since: start) { connection in
      try begin(file)
      if !hasNotedRenames, let renames { try connection.noteWrites(with: renames) }
      let result = try run(body, on: connection) { publishMemory throws(Graph.StoreError) in
        try file.commit(connection)
        publishMemory()
      }
      hasNotedRenames = true
      if file.isCheckpointDue { enqueueCheckpoint() }
      committing.withLock { $0 }?(connection)
      return result
    }
  }

  /// Calls `body` on the writer's queue after each commit to a file, with the connection that wrote it.
  func afterCommit(_ body: @escaping @Sendable (DatabaseConnection) -> Void) {
    committing.withLock { $0 = body }
  }

  /// Drops data that others may have changed. The caller has the write lock.
  func begin(_ file: StoreFile) throws(Graph.StoreError) {
    let version = try file.version()
    let isForeign = states.version.map { $0 != version } ?? false
    states.begin(version: version)
    if isForeign {
      hasNotedRenames = false
      foreign.withLock { $0 }?()
    }
  }

  /// Calls `body` on the writer's queue when others were found to have committed.
  func onForeignCommit(_ body: @escaping @Sendable () -> Void) {
    foreign.withLock { $0 = body }
    // Commits of others before this point are not reported.
    if let file = committed.file { queue.sync { states.begin(version: file.knownVersion) } }
  }

  /// - Parameter commit: commits, and calls its argument as part of that.
  private func run<Result>(
    _ body: (Graph.Transaction) throws -> Result, on connection: DatabaseConnection?,
    commit: (() -> Void) throws(Graph.StoreError) -> Void
  ) throws -> Result {
    let interval = SignpostInterval.begin(.storeWrite)
    defer { interval.end() }
    let transaction = Graph.Transaction(
      committed: committed, connection: connection, states: states, planner: planner)
    defer { transaction.rollback() }
    let result: Result
    do {
      defer { transaction.end() }
      try transaction.removeEndedOverlaysInMemory()
      result = try body(transaction)
      try transaction.applyOverlaysToNewRecords()
    }
    try transaction.forgetErrorsOfDeleted()
    let flushed = try transaction.flush(now: now())
    try committed.change { state throws(Graph.StoreError) in
      try commit {
        state.memory = flushed.memory
        transaction.endExpectedChanges(in: &state.expected)
      }
    }
    transaction.commit()
    if !flushed.changes.isEmpty || transaction.endsExpectedChanges { publish(flushed.changes) }
    return result
  }
}

extension Writer {
  /// When this store last checked for commits of others.
  struct ForeignCommitCheck: Sendable {
    var isPending = false
    var last: UInt64 = 0
    var hasReportedMove = false
  }

  /// In nanoseconds: the store does not check for each commit of a process that writes often.
  private static let pauseBetweenChecks: UInt64 = 50_000_000

  /// Schedules a check for commits of others.
  func checkForeignCommits() {
    let time = foreignCommitCheck.withLock { check -> UInt64? in
      if check.isPending { return nil }
      check.isPending = true
      return check.last + Self.pauseBetweenChecks
    }
    guard let time else { return }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) { [weak self] in
      self?.check()
    }
  }

  private func check() {
    foreignCommitCheck.withLock { check in
      check.isPending = false
      check.last = WaitLimit.now
    }
    guard let file = committed.file else { return }
    let isDone: Void? = file.writeLock.amongStores {
      // If the file cannot be read now, it is read again with the next write, which reports the
      // reason.
      try? begin(file)
    }
    // The store with the write lock may be waiting for another process.
    if isDone == nil { checkForeignCommits() }
    try? file.shared.location.check()
    reportIfMoved()
  }

  /// The file was found to be another one: observers of the old data read again, and get the error.
  func reportIfMoved() {
    guard committed.file?.shared.location.isKnownToBeReplaced == true else { return }
    let isFirst = foreignCommitCheck.withLock { check in
      defer { check.hasReportedMove = true }
      return !check.hasReportedMove
    }
    if isFirst { foreign.withLock { $0 }?() }
  }
}
