import GraphClient
import GraphQLRuntime
import GraphStore

/// The durable queue: every change is one transaction of the store, and published after its commit.
final class OutboxQueue: Sendable {
  let store: Graph.Store
  let hub: TransitionHub
  let memory = TransientKeys()
  private let time: any Graph.TimeSource
  /// How to store the responses of operations that were queued by this run of the program.
  private let writers: Locked<[String: ResponseWriter]>
  private let logoutRegistration: Registration
  let rules: TypeRules

  /// - Parameter observers: those of the client; nil if there are none.
  init(
    store: Graph.Store, configuration: Graph.Outbox.Configuration,
    observers: Graph.Observers? = nil
  ) {
    self.store = store
    hub = TransitionHub(observers)
    time = configuration.time
    rules = TypeRules(store: store, configuration)
    let writers = Locked<[String: ResponseWriter]>([:])
    self.writers = writers
    logoutRegistration = store.onLogout { [hub, memory] unsent in
      writers.withLock { $0 = [:] }
      memory.removeAll()
      hub.publishLogout(unsent)
      // Receipts were deleted as well, for which there are no transitions.
      hub.receiptsChanged()
    }
  }

  /// The current time by the wall clock, and by the clock that is never set.
  var now: QueueTime { QueueTime(time.now) }

  /// Creates the tables, and recovers the operations of another run.
  ///
  /// - Parameter verifies: whether the program verifies operations that may have been carried out.
  /// - Returns: those operations; none if the program does not verify.
  func open(receiptLifetime: Duration, verifies: Bool) async throws -> [QueuedOperation] {
    let (delivered, unknown) = try await change { [store, hub] writer in
      try writer.createTables()
      try writer.recover(verifies: verifies)
      try writer.prune(olderThan: receiptLifetime.wholeMilliseconds)
      if store.keepsSomeInMemory { try writer.removeTransientKeys() }
      hub.begin(with: try writer.openOperations())
      return (
        try writer.operations(.delivered),
        verifies ? try writer.operations(.inTransit) + writer.operations(.uncertain) : []
      )
    }
    // Each separately: one that cannot be ended stays unchanged, and does not block the others.
    for operation in delivered {
      do { try await receive(operation.id) } catch  where !error.isFileError {}
    }
    try await change { try $0.checkSchema() }
    return unknown
  }

  /// - Parameter completion: called on the store's writer after the commit.
  func change<T: Sendable>(
    _ body: @escaping @Sendable (inout QueueWriter) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    store.perform { [now, memory] transaction in
      var writer = QueueWriter(transaction, now: now, memory: memory)
      return (try body(&writer), writer.transitions, writer.memoryChanges)
    } completion: {
      [hub, memory] (result: Result<(T, [Graph.Transition], [TransientKeys.Change]), any Error>) in
      if case .success(let (_, transitions, changes)) = result {
        memory.apply(changes)
        hub.publish(transitions)
      }
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

  /// Reads the committed rows without the store's writer, so that it does not wait for other writes and
  /// other processes.
  ///
  /// If that fails, the writer reads. It also handles the reason: damage, or a file that was moved.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any QueueRows) throws -> T
  ) async throws -> T {
    do {
      try store.checkFile()
      return try body(store)
    } catch {
      return try await change { try body($0) }
    }
  }

  /// Whether an operation may be sent now.
  func isReady() async throws -> Bool {
    guard let ready = try await read({ try $0.nextReady() }) else { return false }
    return ready <= now.uptime
  }

  /// Takes the next operation that may be sent, and its user.
  func claim() async throws -> (operation: QueuedOperation, owner: GraphQL.StoreGeneration)? {
    guard try await isReady() else { return nil }
    return try await change { [store] writer in
      try writer.claim().map { ($0, store.generation) }
    }
  }

  /// Changes one operation.
  func change(
    _ id: String,
    _ body: @escaping @Sendable (inout QueueWriter, QueuedOperation) throws -> Void
  ) async throws {
    try await change { writer in
      try body(&writer, try writer.require(id))
    }
  }

  /// - Parameters:
  ///   - new: the submission's operation, with the checksums of its files.
  ///   - submission: fails if it belongs to another user.
  func enqueue(
    _ new: NewOperation, _ submission: Submission,
    completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    change { [store] writer in
      guard store.generation == submission.owner else { throw GraphQL.StaleGeneration() }
      guard let receipt = submission.receipt else { return try writer.enqueue(new) }
      return try writer.enqueue(new, inPlaceOf: receipt)
    } completion: { [weak self] result in
      // A save may have replaced another one: then this is how to store its response.
      if case .success(let id) = result { self?.writers.withLock { $0[id] = submission.write } }
      completion(result)
    }
  }

  /// Ends a delivered operation, with its response.
  ///
  /// If objects of some types must not be in the file, the response must not be either: it is
  /// stored in the transaction that ends the operation.
  func deliver(_ operation: QueuedOperation, response: String) async throws {
    guard store.keepsSomeInMemory else {
      try await change { try $0.settle(operation, .deliver, response: response) }
      return try await receive(operation.id)
    }
    let write = writers.withLock { $0[operation.id] }
    try await end { [rules] writer, isStored in
      try writer.settle(operation, .deliver, response: "")
      guard let delivered = try writer.operation(operation.seq), delivered.state == .delivered
      else { return }
      guard isStored else { return try writer.finish(delivered, .received) }
      try writer.receive(
        delivered, response: response, write, rules.conflictRule(ofType: operation.entity.typeName))
    }
  }

  /// Stores the response of a delivered operation.
  func receive(_ id: String) async throws {
    let write = writers.withLock { $0[id] }
    try await end { [rules] writer, isStored in
      let operation = try writer.require(id)
      guard isStored else { return try writer.finish(operation, .received) }
      try writer.receive(operation, write, rules.conflictRule(ofType: operation.entity.typeName))
    }
  }

  /// Ends an operation that the server has carried out. If its response cannot be stored, it ends
  /// without the objects, as it would block its object forever otherwise.
  ///
  /// - Parameter body: receives whether the response is to be stored.
  /// - Throws: errors of the disk, after which it may be retried.
  private func end(
    _ body: @escaping @Sendable (inout QueueWriter, _ isStored: Bool) throws -> Void
  ) async throws {
    do {
      try await change { try body(&$0, true) }
    } catch  where !error.isFileError {
      try await change { try body(&$0, false) }
    }
  }

  /// Stores the objects in a refusal.
  func conflict(of operation: QueuedOperation, response: String) async throws -> Graph.Conflict? {
    let write = writers.withLock { $0[operation.id] }
    return try await change { try $0.conflict(of: operation, response: response, write) }
  }

  /// Deletes receipts that are older than their lifetime.
  func prune(olderThan lifetime: Duration) async throws {
    let age = lifetime.wholeMilliseconds
    let old = try store.rows(
      "SELECT 1 \(QueueWriter.old) LIMIT 1", [.integer(now.wall - age)]
    ) { _ in true }
    if old.isEmpty { return }
    try await change { try $0.prune(olderThan: age) }
    hub.receiptsChanged()
  }

  /// Releases the resources of an ended operation.
  func forget(_ id: String) { writers.withLock { $0[id] = nil } }
}

extension QueueWriter {
  /// - Throws: `unknownOperation`.
  fileprivate func require(_ id: String) throws -> QueuedOperation {
    guard let operation = try operation(id: id) else {
      throw Graph.OutboxError(.unknownOperation, "the operation is not in the queue")
    }
    return operation
  }
}

extension Error {
  /// Whether the error is about the file, not about the values to store.
  var isFileError: Bool {
    let codes: [Graph.StoreError.Code] = [.database, .file, .busy, .corrupt, .replaced]
    return (self as? Graph.StoreError).map { codes.contains($0.code) } ?? false
  }
}

extension OutboxQueue {
  /// The state of an object's writes; nil if there are none.
  func state(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> Graph.SyncState? {
    let key = try current(key)
    let open = try store.rows(
      """
      SELECT \(Graph.SyncState.columns) FROM outbox_operation WHERE entity = ?1 ORDER BY seq LIMIT 1
      """, [.text(key.description)], Graph.SyncState.init)
    if let state = open.first ?? nil { return state }
    // An operation that ends between the two reads is found here. One that is queued between them is
    // published next.
    var ended = try store.rows(
      """
      SELECT \(Graph.Receipt.columns) FROM outbox_receipt WHERE entity = ?1 ORDER BY seq DESC LIMIT 1
      """, [.text(key.description)], receipt)
    // The receipts of a transient object have no key.
    for id in memory.operations(on: key) {
      ended += try store.rows(
        "SELECT \(Graph.Receipt.columns) FROM outbox_receipt WHERE id = ?1", [.text(id)], receipt)
    }
    return ended.compactMap { $0 }.max { $0.seq < $1.seq }.map(Graph.SyncState.init)
  }

  /// The receipts, the oldest first.
  func receipts() throws(Graph.StoreError) -> [Graph.Receipt] {
    try store.rows(
      "SELECT \(Graph.Receipt.columns) FROM outbox_receipt ORDER BY finished, seq, id", [], receipt
    ).compactMap { $0 }
  }

  private func receipt(_ row: ExtensionRow) -> Graph.Receipt? {
    Graph.Receipt(row, of: memory.entity(of: row.text(0)))
  }

  /// The server's key of an object that had a temporary one; nil while it is not known.
  func key(for temporary: String) throws(Graph.StoreError) -> String? {
    if let key = memory.key(for: temporary) { return key }
    return try store.rows(
      "SELECT key FROM outbox_identity WHERE temporary = ?1 AND key <> ''", [.text(temporary)]
    ) { $0.text(0) }.first
  }

  /// An entity with its current key.
  private func current(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> GraphQL.EntityKey {
    guard Graph.TemporaryKey.isTemporary(key.key), let known = try self.key(for: key.key) else {
      return key
    }
    return GraphQL.EntityKey(typeName: key.typeName, key: known)
  }
}

/// The rules for types: the configuration's or, if it has none, those of the schema table, which
/// come from `graphql-generator.json`.
struct TypeRules: Sendable {
  let store: Graph.Store
  let supportedOperations: [String: Set<Graph.Outbox.SupportedOperation>]
  let conflicts: [String: Graph.ConflictRule]

  init(store: Graph.Store, _ configuration: Graph.Outbox.Configuration) {
    self.store = store
    supportedOperations = configuration.supportedOperations
    conflicts = configuration.conflicts
  }

  /// Whether objects of a type may be written with `queueSave`.
  func allowsSaves(ofType name: String) -> Bool {
    if let operations = supportedOperations[name] { return operations.contains(.save) }
    let names = store.storageAttributes(ofType: name)["operations"]?.split(separator: ",") ?? []
    return names.contains { $0.lowercased() == "save" }
  }

  /// The rule for conflicts of a type, with its version field; nil if there is neither.
  func conflictRule(ofType name: String) -> Graph.ConflictRule? {
    let version = store.storageAttributes(ofType: name)["version"]
    guard
      var rule = conflicts[name] ?? version.map({ _ in Graph.ConflictRule(policy: .serverWins) })
    else { return nil }
    rule.versionField = rule.versionField ?? version
    rule.versionArgument = rule.versionArgument ?? rule.versionField
    return rule
  }
}
