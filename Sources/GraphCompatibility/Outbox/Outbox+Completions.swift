import Dispatch
import GraphQLRuntime

// Writing for callers that are not asynchronous.
extension Outbox {
  /// Called on the main queue with the operation's ID once it is durably queued.
  public typealias QueueCompletion = @MainActor @Sendable (Result<String, any Error>) -> Void

  /// `transact` with a completion.
  public func transact<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(Result { try submission(mutation, .transact, key, optimistic, isIdempotent) }) {
      result in DispatchQueue.main.async { completion(result) }
    }
  }

  /// The same for an object that was read from a response or the store.
  public func transact<Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(
      Result { try submission(mutation, .transact, key(of: object), optimistic, isIdempotent) }
    ) { result in DispatchQueue.main.async { completion(result) } }
  }

  /// `persist` with a completion.
  public func persist<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(Result { try submission(mutation, .save, key, optimistic, isIdempotent) }) {
      result in DispatchQueue.main.async { completion(result) }
    }
  }

  /// The same for an object that was read from a response or the store.
  public func persist<Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(
      Result { try submission(mutation, .save, key(of: object), optimistic, isIdempotent) }
    ) { result in DispatchQueue.main.async { completion(result) } }
  }

  /// `transact` for callers off the main thread: it blocks until the operation is durably queued.
  /// Do not call it in a transaction of the store.
  @discardableResult
  public func transactAndWait<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .transact, key, optimistic, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  public func transactAndWait<Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .transact, key(of: object), optimistic, isIdempotent))
  }

  /// `persist` for callers off the main thread; see `transactAndWait`.
  @discardableResult
  public func persistAndWait<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .save, key, optimistic, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  public func persistAndWait<Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .save, key(of: object), optimistic, isIdempotent))
  }
}
