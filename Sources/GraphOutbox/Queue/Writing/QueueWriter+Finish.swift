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
