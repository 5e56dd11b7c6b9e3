import GraphJSON
import GraphQLRuntime
import GraphStore

extension QueueWriter {
  /// The last operation of an entity.
  private struct Tail {
    let seq: Int64
    let id: String
    /// Whether a save may still replace it.
    let isOpenSave: Bool
  }

  /// Queues an operation, or replaces a save that was never sent.
  ///
  /// - Returns: the ID of the operation in the queue.
  mutating func enqueue(_ new: NewOperation) throws -> String {
    var new = new
    new.entity = try current(new.entity)
    new.variables = try resolved(new.variables)
    new.optimistic = try new.optimistic?.resolving(resolved)
    let tail = try tail(of: new.entity)
    let isCreator = tail == nil && Graph.TemporaryKey.isTemporary(new.entity.key)
    if isCreator, try known(new.entity.key) != nil { throw unknownKey }
    let mentions = Graph.TemporaryKey.keys(in: new.variables).filter {
      !(isCreator && $0 == new.entity.key)
    }
    if new.kind == .save, let tail, tail.isOpenSave,
      try Set(mentions).isSubset(of: self.mentions(of: tail.seq))
    {
      try replace(tail.seq, with: new)
      // The new operation matches the current schema, so the schema does not block it any more.
      if let saved = try operation(tail.seq), saved.isOutdated { try unblock(saved) }
      try transaction.removeOverlay(of: tail.seq)
      try overlay(new, tail.seq)
      return tail.id
    }
    var predecessors: [Int64: Bool] = [:]
    if let tail { predecessors[tail.seq] = false }
    for temporary in mentions { predecessors[try creator(of: temporary)] = true }
    // An operation on an object needs the operation that creates the object, even if its variables do
    // not contain the temporary key.
    if !isCreator, Graph.TemporaryKey.isTemporary(new.entity.key) {
      predecessors[try creator(of: new.entity.key)] = true
    }
    let state: Graph.OperationState = predecessors.values.contains(true) ? .blocked : .pending
    let seq = try insert(
      new, creates: isCreator ? new.entity.key : "", state: state, waits: predecessors.count)
    for (predecessor, isNeeded) in predecessors {
      try transaction.execute(
        "INSERT INTO outbox_wait(predecessor, operation, needed) VALUES(?1, ?2, ?3)",
        [.integer(predecessor), .integer(seq), .integer(isNeeded ? 1 : 0)])
    }
    try setMentions(Graph.TemporaryKey.keys(in: new.variables), of: seq)
    try overlay(new, seq)
    note(Graph.Transition(new.id, new.entity, from: nil, to: state))
    return new.id
  }

  private func overlay(_ new: NewOperation, _ seq: Int64) throws(Graph.StoreError) {
    let text = new.optimistic?.text(storedBy: transaction, of: new.entity) ?? ""
    try transaction.execute(
      "UPDATE outbox_operation SET optimistic = ?2 WHERE seq = ?1", [.integer(seq), .text(text)])
    guard let optimistic = new.optimistic else { return }
    try transaction.overlay(optimistic, on: new.entity, by: seq)
  }

  private var unknownKey: Graph.OutboxError {
    Graph.OutboxError(
      .unknownTemporaryKey, "no queued operation creates the object with a temporary key")
  }

  /// An entity with the server's key, if that is known.
  func current(_ entity: GraphQL.EntityKey) throws(Graph.StoreError) -> GraphQL.EntityKey {
    guard let key = try known(entity.key), !key.isEmpty else { return entity }
    return GraphQL.EntityKey(typeName: entity.typeName, key: key)
  }

  /// The server's key for a temporary one: nil while it is unknown, empty if there will be no
  /// object.
  private func known(_ temporary: String) throws(Graph.StoreError) -> String? {
    guard Graph.TemporaryKey.isTemporary(temporary) else { return nil }
    if let key = memory.key(for: temporary) { return key }
    return try transaction.rows(
      "SELECT key FROM outbox_identity WHERE temporary = ?1", [.text(temporary)]
    ) { $0.text(0) }.first
  }

  /// The value with the objects' keys in place of temporary ones, if they are known.
  private func resolved(_ value: JSON) throws -> JSON {
    try Graph.TemporaryKey.keys(in: value).reduce(value) { value, temporary in
      guard let key = try known(temporary), !key.isEmpty else { return value }
      return value.replacing(temporary, with: key)
    }
  }

  private func creator(of temporary: String) throws -> Int64 {
    let found = try transaction.rows(
      "SELECT seq FROM outbox_operation WHERE creates = ?1 AND creates <> ''", [.text(temporary)]
    ) { $0.integer(0) }
    guard let seq = found.first else { throw unknownKey }
    return seq
  }

  private func tail(of entity: GraphQL.EntityKey) throws(Graph.StoreError) -> Tail? {
    try transaction.rows(
      """
      SELECT seq, id, kind = 'save' AND attempts = 0 AND state IN ('pending', 'blocked')
      FROM outbox_operation WHERE entity = ?1 ORDER BY seq DESC LIMIT 1
      """, [.text(entity.description)]
    ) { Tail(seq: $0.integer(0), id: $0.text(1), isOpenSave: $0.integer(2) != 0) }.first
  }

  private func mentions(of seq: Int64) throws(Graph.StoreError) -> [String] {
    try transaction.rows(
      "SELECT temporary FROM outbox_mention WHERE operation = ?1", [.integer(seq)]
    ) { $0.text(0) }
  }

  private func setMentions(_ temporaries: [String], of seq: Int64) throws(Graph.StoreError) {
    try transaction.execute("DELETE FROM outbox_mention WHERE operation = ?1", [.integer(seq)])
    for temporary in temporaries {
      try transaction.execute(
        "INSERT INTO outbox_mention(temporary, operation) VALUES(?1, ?2)",
        [.text(temporary), .integer(seq)])
    }
  }

  private func replace(_ seq: Int64, with new: NewOperation) throws(Graph.StoreError) {
    try transaction.execute(
      """
      UPDATE outbox_operation
      SET name = ?2, document = ?3, variables = ?4, root = ?5, repeatable = ?6, fields = ?7,
        idempotency = ?8
      WHERE seq = ?1
      """,
      [
        .integer(seq), .text(new.name), .text(new.document), .text(new.variables.description),
        .text(new.root), .integer(new.isRepeatable ? 1 : 0), .text(new.fields), .text(new.id),
      ])
    try setMentions(Graph.TemporaryKey.keys(in: new.variables), of: seq)
    try setFiles(new.files, of: seq)
  }

  private func insert(
    _ new: NewOperation, creates: String, state: Graph.OperationState, waits: Int
  ) throws(Graph.StoreError) -> Int64 {
    try transaction.execute(
      """
      INSERT INTO outbox_operation(
        id, idempotency, entity, kind, name, document, variables, root, fields, creates,
        repeatable, state, waits, ready, attempts, strikes, strike_reason, code, message, answer,
        created)
      VALUES(?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?13, ?8, ?9, ?10, ?11, 0, 0, 0, '', '', '', '', ?12)
      """,
      [
        .text(new.id), .text(new.entity.description), .text(new.kind.rawValue), .text(new.name),
        .text(new.document), .text(new.variables.description), .text(new.root), .text(creates),
        .integer(new.isRepeatable ? 1 : 0), .text(state.rawValue), .integer(Int64(waits)),
        .integer(now.wall), .text(new.fields),
      ])
    let seq = transaction.lastInsertedRow
    try setFiles(new.files, of: seq)
    return seq
  }
}

extension QueueWriter {
  /// Why an operation is blocked that the schema does not have.
  private static let reason = Graph.RejectionReason(
    code: "schema", message: "the schema no longer contains the operation")

  /// Blocks the operations that the schema no longer has, and releases those that it has again.
  mutating func checkSchema() throws {
    let kinds = try transaction.rows("SELECT DISTINCT fields FROM outbox_operation") { $0.text(0) }
    for fields in kinds {
      let isThere = fields.split(separator: ",").allSatisfy { coordinate in
        let names = coordinate.split(separator: ".").map(String.init)
        return names.count == 2 && transaction.hasField(names[1], of: names[0])
      }
      if isThere { try unblock(fields) } else { try block(fields) }
    }
  }

  private mutating func block(_ fields: String) throws {
    for operation in try operations(of: fields, "state = 'pending'") {
      try move(operation, to: .blocked, reason: Self.reason)
    }
    try transaction.execute(
      """
      UPDATE outbox_operation SET code = ?2, message = ?3
      WHERE fields = ?1 AND state = 'blocked' AND code = ''
      """, [.text(fields), .text(Self.reason.code ?? ""), .text(Self.reason.message)])
  }

  private mutating func unblock(_ fields: String) throws {
    for operation in try operations(of: fields, "state = 'blocked' AND code = 'schema'") {
      try unblock(operation)
    }
  }

  /// Releases an operation that the schema has again; one that needs another waits for that.
  mutating func unblock(_ operation: QueuedOperation) throws {
    let needed = try transaction.rows(
      "SELECT 1 FROM outbox_wait WHERE operation = ?1 AND needed = 1 LIMIT 1",
      [.integer(operation.seq)]
    ) { _ in true }
    if needed.isEmpty { return try move(operation, to: .pending) }
    try transaction.execute(
      "UPDATE outbox_operation SET code = '', message = '' WHERE seq = ?1",
      [.integer(operation.seq)])
  }

  private func operations(
    of fields: String, _ condition: String
  ) throws(Graph.StoreError) -> [QueuedOperation] {
    try transaction.rows(
      """
      SELECT \(QueuedOperation.columns) FROM outbox_operation
      WHERE fields = ?1 AND \(condition) ORDER BY seq
      """, [.text(fields)], QueuedOperation.init)
  }
}

extension QueuedOperation {
  /// Whether it is blocked only by an operation that it needs.
  var isWaiting: Bool { state == .blocked && !isOutdated }

  /// Whether it is blocked because the schema no longer has it.
  var isOutdated: Bool { state == .blocked && code == "schema" }
}
