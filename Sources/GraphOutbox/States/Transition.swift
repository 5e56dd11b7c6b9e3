import GraphQLRuntime
import GraphStore

extension Graph {
  /// One transition of an operation, published after it is durable.
  public struct Transition: Sendable, Hashable {
    /// The operation's ID.
    public let operation: String
    /// The object that it writes; with the server's key as soon as that is known.
    public let entity: GraphQL.EntityKey
    /// nil for an operation that was just queued.
    public let from: OperationState?
    /// Its current state.
    public let to: OperationState
    /// The reason, if the server or the connection gave one.
    public let reason: RejectionReason?
    /// How many transitions before this one the sequence has dropped, since the reader was too slow.
    /// If it is not 0, `receipts()` and `state(of:)` return the resulting states.
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

    /// The transition of an operation that was deleted by a logout.
    init(dropped work: UnsentWork) {
      self.init(dropped: work.id, work.entity, from: OperationState(rawValue: work.state))
    }

    init(dropped id: String, _ entity: GraphQL.EntityKey, from state: OperationState?) {
      self.init(
        id, entity, from: state, to: .cancelled,
        reason: RejectionReason(code: "loggedOut", message: "the user has logged out"))
    }
  }
}
