import GraphQLRuntime
import GraphStore

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
