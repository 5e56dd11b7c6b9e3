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

// Queueing for callers that block their thread.
extension Graph.Outbox {
  /// `transact` for callers off the main thread: it blocks until the operation is durably queued.
  /// Do not call it in a transaction of the store.
  @discardableResult
  public func transactAndWait<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .mutation, key, optimistic, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  public func transactAndWait<
    Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .mutation, key(of: object), optimistic, isIdempotent))
  }

  /// `persist` for callers off the main thread; see `transactAndWait`.
  @discardableResult
  public func persistAndWait<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .save, key, optimistic, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  public func persistAndWait<
    Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .save, key(of: object), optimistic, isIdempotent))
  }

  private func enqueueAndWait(_ submission: Submission) throws -> String {
    let outcome = QueueOutcome()
    enqueue(.success(submission)) { result in
      outcome.value.withLock { $0 = result }
      outcome.isThere.signal()
    }
    outcome.isThere.wait()
    guard let result = outcome.value.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

/// The result for a blocked caller.
private final class QueueOutcome: Sendable {
  let value = Locked<Result<String, any Error>?>(nil)
  let isThere = DispatchSemaphore(value: 0)
}

// The older names of `queue` and `queueSave`.
extension Graph.Outbox {
  /// Queues a mutation that must be carried out: another name of
  /// ``/GraphOutbox/GraphQLRuntime/Graph/Outbox/queue(_:for:optimistic:isIdempotent:)-(_,GraphQL.EntityKey,_,_)``.
  @discardableResult
  nonisolated(nonsending) public func transact<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await queue(mutation, for: key, optimistic: optimistic, isIdempotent: isIdempotent)
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  nonisolated(nonsending) public func transact<
    Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await queue(mutation, for: object, optimistic: optimistic, isIdempotent: isIdempotent)
  }

  /// Queues a one-way save: another name of `queueSave`.
  @discardableResult
  nonisolated(nonsending) public func persist<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await queueSave(mutation, for: key, optimistic: optimistic, isIdempotent: isIdempotent)
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  nonisolated(nonsending) public func persist<
    Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await queueSave(mutation, for: object, optimistic: optimistic, isIdempotent: isIdempotent)
  }
}
