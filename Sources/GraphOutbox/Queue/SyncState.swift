import GraphQLRuntime
import GraphStore

extension Graph {
  /// The state of one object's writes: that of the oldest operation that has not ended or, if there
  /// is none, the outcome of the last one until its receipt is acknowledged.
  public struct SyncState: Sendable, Hashable {
    /// The operation's ID.
    public let operation: String
    /// Its state.
    public let state: OperationState
    /// The reason for that state, if there is one: what it waits for, or why it was rejected.
    public let reason: RejectionReason?
    /// The receipt of the operation; nil while it has not ended.
    public let receipt: Receipt?

    init(_ receipt: Receipt) {
      operation = receipt.operation
      state = receipt.state
      reason = receipt.reason
      self.receipt = receipt
    }

    static let columns = "id, \(QueueTables.state), code, message"

    /// The state of an operation in the queue; nil for a row that this version cannot read.
    init?(_ row: ExtensionRow) {
      guard let state = OperationState(rawValue: row.text(1)) else { return nil }
      operation = row.text(0)
      self.state = state
      reason = RejectionReason(stored: row.text(2), row.text(3))
      receipt = nil
    }
  }
}

extension Graph.SyncState: CustomStringConvertible {
  public var description: String { reason.map { "\(state): \($0)" } ?? "\(state)" }
}
