import GraphQLRuntime
import GraphStore

// Rows that can no longer be read: they leave the queue with a receipt, so that the others
// continue.
extension QueueWriter {
  private static let knownStates = Graph.OperationState.allCases.filter { !$0.isFinal }
    .map { "'\($0.rawValue)'" }.joined(separator: ",")

  /// Sets aside rows that an earlier run has left in an unknown state: they would never be sent.
  /// Other damage is found when an operation is to be sent, since there may be very many.
  mutating func setAsideLost() throws {
    let lost = try transaction.rows(
      """
      SELECT \(QueuedOperation.columns) FROM outbox_operation INDEXED BY outbox_open
      WHERE state <> 'pending' AND state <> 'blocked' AND state NOT IN (\(Self.knownStates))
      ORDER BY state, seq
      """, [], QueuedOperation.init)
    for operation in lost { try setAside(operation) }
  }

  /// Ends a damaged operation. Its receipt has all data that can be read.
  mutating func setAside(_ operation: QueuedOperation) throws {
    // The operation may have been rejected already, with a damaged one that it needs.
    guard let current = try self.operation(operation.seq) else { return }
    try finish(current, .rejected, reason: current.attempts > 0 ? .damagedLate : .damaged)
  }
}

extension Graph.RejectionReason {
  /// Why an operation with an unreadable row was never sent.
  fileprivate static let damaged = Graph.RejectionReason(
    code: "damaged", message: "the operation's row in the file is damaged; it was never sent")

  /// Why an operation with an unreadable row, which was sent before, may have been carried out.
  fileprivate static let damagedLate = Graph.RejectionReason(
    code: "damaged",
    message:
      "the operation's row in the file is damaged; it was sent before, and may have been carried out"
  )
}
