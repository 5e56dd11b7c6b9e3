import GraphJSON
import GraphQLRuntime
import GraphStore

/// Stores a response using its operation.
typealias ResponseWriter = @Sendable (Graph.Transaction, [UInt8]) throws -> Graph.WriteSummary

extension QueueWriter {
  /// Ends a delivered operation: its response's objects are stored, its receipt is written and its
  /// row is deleted.
  ///
  /// A response that does not have the schema's types is ignored: the server has nevertheless
  /// carried out the operation.
  ///
  /// - Parameters:
  ///   - response: the response, if it is not stored with the operation.
  ///   - write: nil if only the operation's text is left.
  ///   - rule: the conflict rule of the entity's type.
  mutating func receive(
    _ operation: QueuedOperation, response: String? = nil, _ write: ResponseWriter?,
    _ rule: Graph.ConflictRule? = nil
  ) throws {
    let response = response ?? operation.response
    let summary = try store(response, of: operation, write)
    if let rule { try carryVersion(of: operation, by: rule) }
    try finish(
      operation, .received, key: key(of: operation, in: summary, Array(response.utf8)))
  }

  /// Stores a response's objects; none of a response that does not have the schema's types.
  func store(
    _ response: String, of operation: QueuedOperation, _ write: ResponseWriter?
  ) throws -> Graph.WriteSummary {
    let bytes = Array(response.utf8)
    do {
      if let write { return try write(transaction, bytes) }
      if let known = transaction.mutation(
        operation.document, name: operation.name, variables: operation.variables)
      {
        return try transaction.write(known.response(from: bytes), of: known)
      }
      guard !operation.root.isEmpty else { return Graph.WriteSummary() }
      return try transaction.write(
        response: try GraphQL.Operation(text: operation).response(from: bytes),
        rootType: operation.root)
    } catch is GraphQL.ResponseFailure {
      return Graph.WriteSummary()
    } catch let error as Graph.StoreError where error.code == .invalidJSON {
      return Graph.WriteSummary()
    }
  }

  /// The server's key of the object that the operation created: among the response's objects of its
  /// type, the least nested one. If the response could not be stored as an object of that type, because the schema has
  /// another form now, the key is read from its text.
  private func key(
    of operation: QueuedOperation, in summary: Graph.WriteSummary, _ response: [UInt8]
  ) -> String? {
    guard !operation.creates.isEmpty, let json = try? JSON(parsing: response) else { return nil }
    let met = [summary.inserted, summary.updated, summary.unchanged].joined()
    let keys = Set(
      met.lazy.filter { transaction.isType($0.typeName, possibleFor: operation.entity.typeName) }
        .map { ExactKey($0.key) })
    var level = [json["data"] ?? .null]
    while !level.isEmpty {
      var below: [JSON] = []
      for value in level {
        switch value {
        case .string(let text) where keys.contains(ExactKey(text)): return text
        case .array(let elements): below += elements
        case .object(let object): below += object.members.map(\.value)
        default: continue
        }
      }
      level = below
    }
    return transaction.key(ofType: operation.entity.typeName, inResponse: response)
  }
}

extension GraphQL.Operation where Root == GraphQL.AbstractResponse {
  /// A queued operation in its frozen form.
  init(text operation: QueuedOperation, files: [QueuedFile] = []) {
    self.init(
      kind: .mutation, name: operation.name.isEmpty ? nil : operation.name,
      document: operation.document, variables: operation.variables,
      uploads: files.map(\.upload))
  }
}

extension QueueWriter {
  /// Stores the objects in a refusal.
  ///
  /// - Parameter write: nil if only the operation's text is left.
  /// - Returns: the conflict; nil if the operation has ended, or was retried.
  func conflict(
    of refused: QueuedOperation, response: String, _ write: ResponseWriter?
  ) throws -> Graph.Conflict? {
    guard let operation = try open(refused.id, attempt: refused.attempts) else { return nil }
    if !response.isEmpty { _ = try store(response, of: operation, write) }
    return Graph.Conflict(
      operation: operation.id, entity: operation.entity, name: operation.name,
      document: operation.document,
      variables: try JSON(parsing: operation.variables), attempt: operation.attempts,
      current: try transaction.knownState(of: operation.entity))
  }

  /// An operation that waits for the resolution of a conflict; nil if it has ended, or was retried
  /// since the refused attempt.
  private func open(_ id: String, attempt: Int) throws -> QueuedOperation? {
    guard let operation = try operation(id: id), operation.state == .pending,
      operation.attempts == attempt
    else { return nil }
    return operation
  }

  /// Rejects a refused operation.
  ///
  /// - Returns: false for one that has ended or was retried.
  mutating func reject(_ conflict: Graph.Conflict, _ reason: Graph.RejectionReason) throws -> Bool {
    guard let operation = try open(conflict.operation, attempt: conflict.attempt) else {
      return false
    }
    try finish(operation, .rejected, reason: reason)
    return true
  }

  /// Gives a refused operation new variables, unless it was retried since the refusal. It is another
  /// request now, so it gets another idempotency key.
  func resolve(_ conflict: Graph.Conflict, with variables: JSON, after delay: Duration) throws {
    guard let operation = try open(conflict.operation, attempt: conflict.attempt) else { return }
    let key = "\(operation.id)-\(operation.attempts)"
    let variables = variables.replacing(operation.idempotencyKey, with: key)
    try set(variables, of: operation.seq)
    try transaction.execute(
      "UPDATE outbox_operation SET idempotency = ?2 WHERE seq = ?1",
      [.integer(operation.seq), .text(key)])
    try self.delay(operation, by: delay)
  }

  /// After an operation has created a new version, gives that version to the operations that were
  /// queued behind it, if they name the version on which it was based: they do not conflict with
  /// it.
  func carryVersion(of operation: QueuedOperation, by rule: Graph.ConflictRule) throws {
    guard let field = rule.versionField, let name = rule.versionArgument else { return }
    guard let own = try? JSON(parsing: operation.variables),
      let before = MutationArgument(name, in: operation.document, own, of: operation.entity.key)
        .value(in: own),
      let after = try transaction.knownState(of: operation.entity)?[field], after != before
    else { return }
    let queued = try transaction.rows(
      """
      SELECT seq, variables, document FROM outbox_operation
      WHERE entity = ?1 AND seq > ?2 AND attempts = 0
      """, [.text(operation.entity.description), .integer(operation.seq)]
    ) { ($0.integer(0), $0.text(1), $0.text(2)) }
    for (seq, text, document) in queued {
      // A damaged row is set aside when it is to be sent.
      guard let variables = try? JSON(parsing: Array(text.utf8)) else { continue }
      let argument = MutationArgument(name, in: document, variables, of: operation.entity.key)
      guard argument.value(in: variables) == before else { continue }
      try set(argument.replacing(in: variables, with: after), of: seq)
    }
  }

  private func set(_ variables: JSON, of seq: Int64) throws(Graph.StoreError) {
    try transaction.execute(
      "UPDATE outbox_operation SET variables = ?2 WHERE seq = ?1",
      [.integer(seq), .text(variables.description)])
  }
}
