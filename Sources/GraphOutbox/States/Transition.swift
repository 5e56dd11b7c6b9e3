import GraphQLRuntime

/// One step of an operation, told after it is durable.
public struct Transition: Sendable, Hashable {
  /// The operation's ID, which is its idempotency key as well.
  public let operation: String
  /// What it writes; with the server's key as soon as that is known.
  public let entity: GraphQL.EntityKey
  /// nil for an operation that was just queued.
  public let from: OperationState?
  /// The state that it is in now.
  public let to: OperationState
  /// Why, where the server or the connection said so.
  public let reason: RejectionReason?

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
}
