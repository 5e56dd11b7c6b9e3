import GraphQLRuntime
import GraphStore

/// What became of an operation that has left the queue. It is kept until the application has
/// acknowledged it, 30 days at most.
public struct Receipt: Sendable, Hashable {
  /// The operation's ID.
  public let operation: String
  /// What it wrote; with the server's key where that is known.
  public let entity: GraphQL.EntityKey
  /// The operation's name in its document; empty when it has none.
  public let name: String
  /// `received`, `rejected` or `cancelled`.
  public let state: OperationState
  /// Why it was rejected; nil otherwise.
  public let reason: RejectionReason?

  static let columns = "id, entity, name, state, code, message"

  /// nil for a row that this version cannot read.
  init?(_ row: SideRow) {
    guard let entity = GraphQL.EntityKey(row.text(1)),
      let state = OperationState(rawValue: row.text(3))
    else { return nil }
    operation = row.text(0)
    self.entity = entity
    name = row.text(2)
    self.state = state
    let (code, message) = (row.text(4), row.text(5))
    reason =
      code.isEmpty && message.isEmpty
      ? nil : RejectionReason(code: code.isEmpty ? nil : code, message: message)
  }
}
