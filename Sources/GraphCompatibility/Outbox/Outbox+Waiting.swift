import Dispatch
import GraphOutbox
import GraphQLRuntime

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
