import GraphQLRuntime
import GraphStore

/// One step of an operation, published after it is durable.
public struct Transition: Sendable, Hashable {
  /// The operation's ID.
  public let operation: String
  /// The object that it writes; with the server's key as soon as that is known.
  public let entity: GraphQL.EntityKey
  /// nil for an operation that was just queued.
  public let from: OperationState?
  /// The state that it is in now.
  public let to: OperationState
  /// Why, where the server or the connection said so.
  public let reason: RejectionReason?
  /// How many steps before this one the sequence has dropped, since the reader was too slow. Where it
  /// is not 0, `receipts()` and `state(of:)` have the states that they led to.
  public internal(set) var missed = 0

  init(
    _ operation: String, _ entity: GraphQL.EntityKey, from: OperationState?, to: OperationState,
    reason: RejectionReason? = nil
  ) {
    self.operation = operation
    self.entity = entity
    self.from = from
    self.to = to
    self.reason = reason
  }

  /// The step of an operation that went with a user who has logged out.
  init(dropped work: UnsentWork) {
    self.init(
      work.id, work.entity, from: OperationState(rawValue: work.state), to: .cancelled,
      reason: RejectionReason(code: "loggedOut", message: "its user has logged out"))
  }
}
