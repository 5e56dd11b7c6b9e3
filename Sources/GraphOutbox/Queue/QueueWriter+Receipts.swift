import GraphJSON
import GraphQLRuntime
import GraphStore

// Receipts: what became of operations, and what those were that were rejected.
extension QueueWriter {
  /// The columns of a rejected operation that its receipt takes over.
  private static let content =
    "kind, document, variables, root, fields, creates, repeatable, idempotency, optimistic"

  /// Keeps in the receipt of a rejected operation what the user wrote. Its files stay as well.
  func keepContent(of operation: QueuedOperation) throws(StoreError) {
    try transaction.side(
      """
      UPDATE outbox_receipt SET (\(Self.content)) = (
        SELECT \(Self.content) FROM outbox_operation WHERE seq = ?2)
      WHERE id = ?1
      """, [.text(operation.id), .integer(operation.seq)])
  }

  func receipt(_ id: String) throws(StoreError) -> Receipt? {
    try transaction.side(
      "SELECT \(Receipt.columns) FROM outbox_receipt WHERE id = ?1", [.text(id)], Receipt.init
    ).first ?? nil
  }

  /// A rejected operation as a new one, with the ID and idempotency key `id`; nil when there is no
  /// receipt of such an operation.
  func rejected(_ receipt: String, as id: String) throws -> NewOperation? {
    let rows = try transaction.side(
      """
      SELECT entity, name, variables, optimistic, seq, \(Self.content)
      FROM outbox_receipt WHERE id = ?1 AND state = 'rejected' AND document <> ''
      """, [.text(receipt)]
    ) { row in
      (
        entity: row.text(0), name: row.text(1), variables: row.text(2), optimistic: row.text(3),
        seq: row.integer(4), kind: row.text(5), document: row.text(6), root: row.text(8),
        fields: row.text(9), isRepeatable: row.integer(11) != 0, idempotency: row.text(12)
      )
    }
    guard let row = rows.first, let entity = GraphQL.EntityKey(row.entity),
      let kind = NewOperation.Kind(rawValue: row.kind)
    else { return nil }
    let variables = try JSON(parsing: Array(row.variables.utf8))
    return NewOperation(
      id: id, entity: entity, kind: kind, name: row.name, document: row.document,
      variables: variables.replacing(row.idempotency, with: id), root: row.root,
      fields: row.fields, isRepeatable: row.isRepeatable, files: try files(of: row.seq),
      optimistic: OptimisticChange(text: row.optimistic))
  }

  /// Queues an operation in the place of a rejected one, whose receipt goes.
  ///
  /// - Throws: ``OutboxError``: `unknownOperation`, when the receipt is gone.
  mutating func enqueue(_ new: NewOperation, inPlaceOf receipt: String) throws -> String {
    let creates = try transaction.side(
      "SELECT creates FROM outbox_receipt WHERE id = ?1 AND state = 'rejected'", [.text(receipt)]
    ) { $0.text(0) }
    guard let temporary = creates.first else { throw OutboxError.noReceipt }
    // The object that came to nothing may come to be.
    try transaction.side(
      "DELETE FROM outbox_identity WHERE temporary = ?1 AND key = ''", [.text(temporary)])
    let id = try enqueue(new)
    try acknowledge(receipt)
    return id
  }

  func acknowledge(_ receipt: String) throws(StoreError) {
    let rows = try transaction.side(
      "DELETE FROM outbox_receipt WHERE id = ?1 RETURNING seq", [.text(receipt)]
    ) { $0.integer(0) }
    for seq in rows { try setFiles([], of: seq) }
  }

  /// Forgets receipts that are older than `age` in milliseconds.
  func prune(olderThan age: Int64) throws(StoreError) {
    let gone = try transaction.side(
      "DELETE FROM outbox_receipt WHERE finished < ?1 RETURNING seq", [.integer(now.wall - age)]
    ) { $0.integer(0) }
    for seq in gone { try setFiles([], of: seq) }
    // Where the clock was put back, the time begins anew.
    try transaction.side(
      "UPDATE outbox_receipt SET finished = ?1 WHERE finished > ?1", [.integer(now.wall)])
  }
}
