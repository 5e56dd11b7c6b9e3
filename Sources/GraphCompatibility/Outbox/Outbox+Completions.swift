import Dispatch
import GraphOutbox
import GraphQLRuntime

// Queueing for callers that are not asynchronous.
extension Graph.Outbox {
  /// Called on the main queue with the operation's ID once it is durably queued.
  public typealias QueueCompletion = @MainActor @Sendable (Result<String, any Error>) -> Void

  /// `transact` with a completion.
  public func transact<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(try submission(mutation, .mutation, key, optimistic, isIdempotent), completion)
  }

  /// The same for an object that was read from a response or the store.
  public func transact<Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(
      try submission(mutation, .mutation, key(of: object), optimistic, isIdempotent), completion)
  }

  /// `persist` with a completion.
  public func persist<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(try submission(mutation, .save, key, optimistic, isIdempotent), completion)
  }

  /// The same for an object that was read from a response or the store.
  public func persist<Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(
      try submission(mutation, .save, key(of: object), optimistic, isIdempotent), completion)
  }

  private func enqueue(
    _ submission: @autoclosure () throws -> Submission, _ completion: @escaping QueueCompletion
  ) {
    enqueue(Result { try submission() }) { result in
      DispatchQueue.main.async { completion(result) }
    }
  }
}
