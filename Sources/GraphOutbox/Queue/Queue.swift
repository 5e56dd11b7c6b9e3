import GraphClient
import GraphQLRuntime
import GraphStore

/// The durable queue: every change is one transaction of the store, and told of after its commit.
final class Queue: Sendable {
  let store: Store
  let hub = TransitionHub()
  private let time: any Graph.TimeSource
  /// How to store the answers of operations that were queued by this run of the program.
  private let writers: Locked<[String: AnswerWriter]>
  private let clearings: ClearingToken
  let rules: TypeRules

  init(store: Store, configuration: Outbox.Configuration) {
    self.store = store
    time = configuration.time
    rules = TypeRules(store: store, configuration)
    let writers = Locked<[String: AnswerWriter]>([:])
    self.writers = writers
    clearings = store.whenCleared { [hub] unsent in
      writers.withLock { $0 = [:] }
      hub.publish(unsent.map(Transition.init(dropped:)))
    }
  }

  /// The present by the wall, and by the clock that nobody sets.
  var now: QueueTime { QueueTime(time.now) }

  /// Makes the tables, and puts right what another run left behind.
  func open(receiptLifetime: Duration, verifies: Bool) async throws {
    try await change { [rules] writer in
      try writer.createTables()
      try writer.recover(verifies: verifies)
      try writer.prune(olderThan: Int64(receiptLifetime / .milliseconds(1)))
      for operation in try writer.operations(.delivered) {
        try writer.receive(operation, nil, rules.conflictRule(ofType: operation.entity.typeName))
      }
      try writer.checkSchema()
    }
  }

  /// - Parameter completion: called on the store's writer after the commit.
  func change<T: Sendable>(
    _ body: @escaping @Sendable (inout QueueWriter) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    store.perform { [now] transaction in
      var writer = QueueWriter(transaction, now: now)
      return (try body(&writer), writer.transitions)
    } completion: { [hub] (result: Result<(T, [Transition]), any Error>) in
      if case .success(let (_, transitions)) = result { hub.publish(transitions) }
      completion(result.map(\.0))
    }
  }

  func change<T: Sendable>(
    _ body: @escaping @Sendable (inout QueueWriter) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      change(body) { continuation.resume(with: $0) }
    }
  }

  /// Takes the next operation that may be sent, and whose it is.
  func claim() async throws -> (operation: QueuedOperation, owner: GraphQL.ModelGeneration)? {
    try await change { [store] writer in
      try writer.claim().map { ($0, store.generation) }
    }
  }

  /// Changes one operation.
  func change(
    _ id: String,
    _ body: @escaping @Sendable (inout QueueWriter, QueuedOperation) throws -> Void
  ) async throws {
    try await change { writer in
      guard let operation = try writer.operation(id: id) else {
        throw OutboxError(.unknownOperation, "the operation is not in the queue")
      }
      try body(&writer, operation)
    }
  }

  /// - Parameters:
  ///   - new: the submission's operation, with the checksums of its files.
  ///   - submission: another user's queue takes nothing.
  func enqueue(
    _ new: NewOperation, _ submission: Submission,
    completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    change { [store] writer in
      guard store.generation == submission.owner else { throw GraphQL.StaleGeneration() }
      guard let receipt = submission.receipt else { return try writer.enqueue(new) }
      return try writer.enqueue(new, inPlaceOf: receipt)
    } completion: { [weak self] result in
      // A save may have taken the place of another one: then this is how to store its answer.
      if case .success(let id) = result { self?.writers.withLock { $0[id] = submission.write } }
      completion(result)
    }
  }

  /// Ends an operation that was delivered, with its answer.
  ///
  /// Where objects of some types are not to be in the file, the answer is not either: it is stored in the
  /// transaction that ends the operation.
  func deliver(_ operation: QueuedOperation, answer: String) async throws {
    guard store.keepsSomeInMemory else {
      try await change { try $0.settle(operation, .deliver, answer: answer) }
      return try await receive(operation.id)
    }
    let write = writers.withLock { $0[operation.id] }
    try await change { [rules] in
      try $0.settle(operation, .deliver, answer: "")
      guard let delivered = try $0.operation(operation.seq), delivered.state == .delivered else {
        return
      }
      try $0.receive(
        delivered, answer: answer, write, rules.conflictRule(ofType: operation.entity.typeName))
    }
  }

  /// Stores the answer of an operation that was delivered.
  func receive(_ id: String) async throws {
    let write = writers.withLock { $0[id] }
    try await change(id) { [rules] in
      try $0.receive($1, write, rules.conflictRule(ofType: $1.entity.typeName))
    }
  }

  /// Stores what a refusal tells of the object.
  func conflict(of operation: QueuedOperation, answer: String) async throws -> Conflict? {
    let write = writers.withLock { $0[operation.id] }
    return try await change { try $0.conflict(of: operation, answer: answer, write) }
  }

  /// Forgets receipts that are older than their lifetime.
  func prune(olderThan lifetime: Duration) async throws {
    let age = Int64(lifetime / .milliseconds(1))
    let old = try store.side(
      "SELECT 1 FROM outbox_receipt WHERE finished < ?1 LIMIT 1", [.integer(now.wall - age)]
    ) { _ in true }
    if old.isEmpty { return }
    try await change { try $0.prune(olderThan: age) }
    hub.receiptsChanged()
  }

  /// Lets go of what was kept for an operation that has ended.
  func forget(_ id: String) { writers.withLock { $0[id] = nil } }
}
