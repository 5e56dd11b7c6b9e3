import GraphJSON
import GraphQLRuntime
import GraphStore

extension QueueWriter {
  /// Stores what a refusal tells of the object.
  ///
  /// - Parameter write: nil where the operation is only left as text.
  /// - Returns: the conflict; nil when the operation is gone.
  func conflict(
    of operation: QueuedOperation, answer: String, _ write: AnswerWriter?
  ) throws -> Conflict? {
    guard let operation = try self.operation(operation.seq) else { return nil }
    if !answer.isEmpty { _ = try store(answer, of: operation, write) }
    return Conflict(
      operation: operation.id, entity: operation.entity, name: operation.name,
      variables: try JSON(parsing: operation.variables),
      current: try transaction.known(operation.entity))
  }

  /// Gives a refused operation new variables. It is another request now, so that it has another
  /// idempotency key.
  func resolve(_ conflict: Conflict, with variables: JSON, after delay: Duration) throws {
    guard let operation = try self.operation(id: conflict.operation),
      operation.state == .pending
    else { return }
    let key = "\(operation.id)-\(operation.attempts)"
    let variables = variables.replacing(operation.idempotencyKey, with: key)
    try set(variables, of: operation.seq)
    try transaction.side(
      "UPDATE outbox_operation SET idempotency = ?2 WHERE seq = ?1",
      [.integer(operation.seq), .text(key)])
    try self.delay(operation, by: delay)
  }

  /// Gives the operations that were queued on top of one the version that it has made, where they tell
  /// the one that it was meant for: they are no conflict with it.
  func carryVersion(of operation: QueuedOperation, by rule: ConflictRule) throws {
    guard let field = rule.versionField, let name = rule.versionArgument else { return }
    let argument = VersionArgument(name: name)
    guard let before = argument.value(in: try JSON(parsing: operation.variables)),
      let after = try transaction.known(operation.entity)?[field], after != before
    else { return }
    let queued = try transaction.side(
      """
      SELECT seq, variables FROM outbox_operation
      WHERE entity = ?1 AND seq > ?2 AND attempts = 0
      """, [.text(operation.entity.description), .integer(operation.seq)]
    ) { ($0.integer(0), $0.text(1)) }
    for (seq, text) in queued {
      let variables = try JSON(parsing: Array(text.utf8))
      guard argument.value(in: variables) == before else { continue }
      try set(argument.replacing(in: variables, with: after), of: seq)
    }
  }

  private func set(_ variables: JSON, of seq: Int64) throws(StoreError) {
    try transaction.side(
      "UPDATE outbox_operation SET variables = ?2 WHERE seq = ?1",
      [.integer(seq), .text(variables.description)])
  }
}
