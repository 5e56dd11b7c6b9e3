import GraphJSON
import GraphQLRuntime
import GraphStore

extension QueueWriter {
  /// Removes an operation and its expected change from the queue, adds a receipt and releases the
  /// operations that waited for it.
  ///
  /// If the operation was not received, or the key of the object that it created is not known, the operations that need
  /// it are rejected first, the newest one before the others.
  ///
  /// - Parameter key: the server's key of the object that the operation created, if it is known.
  mutating func finish(
    _ operation: QueuedOperation, _ state: Graph.OperationState,
    reason: Graph.RejectionReason? = nil,
    key: String? = nil
  ) throws {
    guard let current = try self.operation(operation.seq),
      current.state.successors.contains(state), state.isFinal
    else {
      throw Graph.OutboxError(
        .invalidTransition, "an operation in the state \(operation.state) cannot become \(state)")
    }
    if state != .received || (!current.creates.isEmpty && key == nil) {
      let reason = Graph.RejectionReason(
        code: "dependency",
        message: state == .received
          ? "the response to an operation that it needs has no key of the created object"
          : "an operation that it needs was not carried out")
      for seq in try dependents(of: current.seq).sorted(by: >) {
        guard let dependent = try self.operation(seq) else { continue }
        try end(dependent, .rejected, reason, key: nil)
      }
    }
    try end(current, state, reason, key: state == .received ? key : nil)
  }

  private mutating func end(
    _ operation: QueuedOperation, _ state: Graph.OperationState, _ reason: Graph.RejectionReason?,
    key: String?
  ) throws {
    if !operation.creates.isEmpty { try identify(operation, with: key ?? "") }
    try transaction.removeOverlay(of: operation.seq, isExecuted: state == .received)
    try transferWaits(of: operation.seq)
    try release(operation.seq)
    try remove(try self.operation(operation.seq) ?? operation, state, reason)
  }

  /// The operations that need one, those that need them, and so on.
  private func dependents(of seq: Int64) throws(Graph.StoreError) -> Set<Int64> {
    var found: Set<Int64> = []
    var open = [seq]
    while let seq = open.popLast() {
      let needing = try transaction.rows(
        "SELECT operation FROM outbox_wait WHERE predecessor = ?1 AND needed = 1", [.integer(seq)]
      ) { $0.integer(0) }
      open += needing.filter { found.insert($0).inserted }
    }
    return found
  }

  /// Resolves a temporary key: every queued operation that names it is updated.
  ///
  /// The server's key of a transient object is not written to the file: a later run finds the
  /// temporary key without an object.
  private mutating func identify(_ creator: QueuedOperation, with key: String) throws {
    let temporary = creator.creates
    let isTransient = transaction.isTransient(creator.entity.typeName)
    try transaction.execute(
      "INSERT OR REPLACE INTO outbox_identity(temporary, key) VALUES(?1, ?2)",
      [.text(temporary), .text(isTransient ? "" : key)])
    guard !key.isEmpty else { return }
    if isTransient { memoryChanges.append(.created(temporary: temporary, key: key)) }
    let named = try transaction.rows(
      """
      SELECT seq, variables, optimistic FROM outbox_operation
      WHERE seq IN (SELECT operation FROM outbox_mention WHERE temporary = ?1)
      """, [.text(temporary)]
    ) { ($0.integer(0), $0.text(1), $0.text(2)) }
    for (seq, variables, optimistic) in named {
      // A damaged text stays unchanged: its row is set aside when it is to be sent.
      let resolved = (try? JSON(parsing: Array(variables.utf8)))?.replacing(temporary, with: key)
      let change = Graph.StoreChange(text: optimistic)?.resolving {
        $0.replacing(temporary, with: key)
      }
      try transaction.execute(
        "UPDATE outbox_operation SET variables = ?2, optimistic = ?3 WHERE seq = ?1",
        [
          .integer(seq), .text(resolved?.description ?? variables),
          .text(change?.json.description ?? optimistic),
        ])
    }
    try transaction.execute("DELETE FROM outbox_mention WHERE temporary = ?1", [.text(temporary)])
    let real = GraphQL.EntityKey(typeName: creator.entity.typeName, key: key)
    try transaction.execute(
      "UPDATE outbox_operation SET entity = ?2 WHERE entity = ?1",
      [.text(creator.entity.description), .text(real.description)])
    try transaction.rename(creator.entity, to: real)
  }

  /// The operations that waited for one that leaves the queue early wait for its predecessors
  /// instead.
  private func transferWaits(of seq: Int64) throws(Graph.StoreError) {
    let predecessors = try transaction.rows(
      "SELECT predecessor FROM outbox_wait WHERE operation = ?1", [.integer(seq)]
    ) { $0.integer(0) }
    for predecessor in predecessors {
      let successors = try transaction.rows(
        """
        INSERT INTO outbox_wait(predecessor, operation, needed)
        SELECT ?2, operation, 0 FROM outbox_wait WHERE predecessor = ?1
        ON CONFLICT DO NOTHING RETURNING operation
        """, [.integer(seq), .integer(predecessor)]
      ) { $0.integer(0) }
      for heir in successors {
        try transaction.execute(
          "UPDATE outbox_operation SET waits = waits + 1 WHERE seq = ?1", [.integer(heir)])
      }
    }
    try transaction.execute("DELETE FROM outbox_wait WHERE operation = ?1", [.integer(seq)])
  }

  private mutating func release(_ seq: Int64) throws {
    let waiting = try transaction.rows(
      "DELETE FROM outbox_wait WHERE predecessor = ?1 RETURNING operation", [.integer(seq)]
    ) { $0.integer(0) }
    for seq in waiting {
      let open = try transaction.rows(
        "UPDATE outbox_operation SET waits = waits - 1 WHERE seq = ?1 RETURNING waits",
        [.integer(seq)]
      ) { $0.integer(0) }
      guard open == [0], let operation = try operation(seq), operation.isWaiting
      else { continue }
      try move(operation, to: .pending)
    }
  }

  private mutating func remove(
    _ operation: QueuedOperation, _ state: Graph.OperationState, _ reason: Graph.RejectionReason?
  ) throws(Graph.StoreError) {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO outbox_receipt(
        id, entity, name, seq, state, code, message, finished)
      SELECT id, entity, name, seq, ?2, ?3, ?4, ?5 FROM outbox_operation WHERE seq = ?1
      """,
      [
        .integer(operation.seq), .text(state.rawValue), .text(reason?.code ?? ""),
        .text(reason?.message ?? ""), .integer(now.wall),
      ])
    if state == .rejected {
      try keepContent(of: operation)
    } else {
      try setFiles([], of: operation.seq)
      try removeTransientKey(of: operation)
    }
    try transaction.execute(
      "DELETE FROM outbox_mention WHERE operation = ?1", [.integer(operation.seq)])
    try transaction.execute(
      "DELETE FROM outbox_operation WHERE seq = ?1", [.integer(operation.seq)])
    note(
      Graph.Transition(
        operation.id, operation.entity, from: operation.state, to: state, reason: reason))
  }
}

// Receipts: the outcomes of operations, and the contents of rejected ones.
extension QueueWriter {
  /// The columns of a rejected operation that are copied to its receipt.
  fileprivate static let content =
    "kind, document, variables, root, fields, creates, repeatable, idempotency, optimistic"

  /// Keeps what the user wrote in the receipt of a rejected operation. Its files stay as well.
  func keepContent(of operation: QueuedOperation) throws(Graph.StoreError) {
    try transaction.execute(
      """
      UPDATE outbox_receipt SET (\(Self.content)) = (
        SELECT \(Self.content) FROM outbox_operation WHERE seq = ?2)
      WHERE id = ?1
      """, [.text(operation.id), .integer(operation.seq)])
  }

  /// Removes the key of a transient object from the receipt of an operation that is not sent
  /// another time.
  mutating func removeTransientKey(of operation: QueuedOperation) throws(Graph.StoreError) {
    guard transaction.isTransient(operation.entity.typeName) else { return }
    try removeKey(of: operation.id, operation.entity)
    memoryChanges.append(.ended(operation: operation.id, operation.entity))
  }

  private func removeKey(of receipt: String, _ entity: GraphQL.EntityKey) throws(Graph.StoreError) {
    try transaction.execute(
      "UPDATE outbox_receipt SET entity = ?2 WHERE id = ?1",
      [
        .text(receipt),
        .text(GraphQL.EntityKey(typeName: entity.typeName, key: "").description),
      ])
  }

  /// Removes the keys of transient objects from the receipts of an earlier version, or of a type that
  /// was persistent before.
  func removeTransientKeys() throws(Graph.StoreError) {
    let receipts = try transaction.rows(
      "SELECT id, entity FROM outbox_receipt WHERE state <> 'rejected' AND entity NOT LIKE '%:'"
    ) { ($0.text(0), GraphQL.EntityKey($0.text(1))) }
    for case (let id, let entity?) in receipts where transaction.isTransient(entity.typeName) {
      try removeKey(of: id, entity)
    }
  }

  /// Queues an operation in place of a rejected one, whose receipt is deleted.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, if the receipt was deleted; `newerSave`.
  mutating func enqueue(_ new: NewOperation, inPlaceOf receipt: String) throws -> String {
    let rejected = try transaction.rows(
      "SELECT creates, seq FROM outbox_receipt WHERE id = ?1 AND state = 'rejected'",
      [.text(receipt)]
    ) { ($0.text(0), $0.integer(1)) }
    guard let (temporary, seq) = rejected.first else { throw Graph.OutboxError.noReceipt }
    if new.kind == .save, try hasSave(of: new.entity, after: seq) {
      throw Graph.OutboxError.newerSave
    }
    // The object that was not created may be created now.
    try transaction.execute(
      "DELETE FROM outbox_identity WHERE temporary = ?1 AND key = ''", [.text(temporary)])
    let id = try enqueue(new)
    try acknowledge(receipt)
    return id
  }

  /// Whether the queue has a later save of the object.
  private func hasSave(
    of entity: GraphQL.EntityKey, after seq: Int64
  ) throws(Graph.StoreError) -> Bool {
    let newer = try transaction.rows(
      """
      SELECT 1 FROM outbox_operation WHERE entity = ?1 AND seq > ?2 AND kind = 'save' LIMIT 1
      """, [.text(try current(entity).description), .integer(seq)]
    ) { _ in true }
    return !newer.isEmpty
  }

  mutating func acknowledge(_ receipt: String) throws(Graph.StoreError) {
    memoryChanges.append(.forgotten(operation: receipt))
    let rows = try transaction.rows(
      "DELETE FROM outbox_receipt WHERE id = ?1 RETURNING seq", [.text(receipt)]
    ) { $0.integer(0) }
    for seq in rows { try setFiles([], of: seq) }
  }

  /// The receipts that are too old. Receipts of rejected operations contain the user's content, and
  /// stay until they are acknowledged: the clock may be wrong.
  static let old = "FROM outbox_receipt WHERE finished < ?1 AND state <> 'rejected'"

  /// Deletes receipts that are older than `age` in milliseconds.
  mutating func prune(olderThan age: Int64) throws(Graph.StoreError) {
    let gone = try transaction.rows(
      "DELETE \(Self.old) RETURNING seq, id",
      [.integer(now.wall - age)]
    ) { ($0.integer(0), $0.text(1)) }
    for (seq, id) in gone {
      try setFiles([], of: seq)
      memoryChanges.append(.forgotten(operation: id))
    }
    // If the clock was set back, the time starts again.
    try transaction.execute(
      "UPDATE outbox_receipt SET finished = ?1 WHERE finished > ?1", [.integer(now.wall)])
  }
}

extension QueueRows {
  /// A rejected operation as a new one, with the ID and idempotency key `id`; nil if there is no
  /// receipt of such an operation. Its document and its variables may be damaged.
  ///
  /// - Throws: ``OutboxError``: `invalidMutation` if the object is no longer known.
  func rejected(_ receipt: String, as id: String) throws -> NewOperation? {
    let rows = try rows(
      """
      SELECT entity, name, variables, optimistic, seq, \(QueueWriter.content)
      FROM outbox_receipt WHERE id = ?1 AND state = 'rejected' AND kind <> ''
      """, [.text(receipt)]
    ) { row in
      (
        entity: row.text(0), name: row.text(1), variables: row.text(2), optimistic: row.text(3),
        seq: row.integer(4), kind: row.text(5), document: row.text(6), root: row.text(8),
        fields: row.text(9), isRepeatable: row.integer(11) != 0, idempotency: row.text(12)
      )
    }
    guard let row = rows.first else { return nil }
    guard let entity = GraphQL.EntityKey(row.entity),
      let kind = NewOperation.Kind(rawValue: row.kind)
    else {
      throw Graph.OutboxError(
        .invalidMutation,
        "the rejected operation was damaged, and its object is not known: queue the mutation for the object "
          + "and acknowledge the receipt")
    }
    let variables = Graph.Receipt.variables(row.variables)
    return NewOperation(
      id: id, entity: entity, kind: kind, name: row.name, document: row.document,
      variables: variables.replacing(row.idempotency, with: id), root: row.root,
      fields: row.fields, isRepeatable: row.isRepeatable, files: try files(of: row.seq),
      optimistic: Graph.OptimisticChange(text: row.optimistic))
  }
}
