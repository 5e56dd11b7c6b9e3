import Dispatch
import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

extension Outbox {
  /// Stands in a mutation's arguments, or a directive's, where the server expects an idempotency
  /// key; each operation gets its own when it is queued.
  public static let idempotencyKeyPlaceholder = "treeswift-idempotency-key"

  /// Called on the main queue with the operation's ID once it is durably queued.
  public typealias QueueCompletion = @MainActor @Sendable (Result<String, any Error>) -> Void

  /// Queues a mutation that is to be carried out, and acknowledged by a receipt.
  ///
  /// An object that the server does not know yet has a ``TemporaryKey``; the first mutation for it
  /// makes it.
  ///
  /// - Parameters:
  ///   - key: the object that is written. Its mutations are sent one after another.
  ///   - optimistic: what readers of the store see of it until the server has answered.
  ///   - isIdempotent: whether the server may carry it out twice without harm. So may it be sent
  ///     again when its fate is unknown, as with an idempotency key.
  /// - Returns: the operation's ID, when it is durably queued.
  /// - Throws: ``OutboxError``, `StoreError`; `GraphQL.StaleGeneration` when the user logs out
  ///   meanwhile. Nothing was queued then.
  @discardableResult
  nonisolated(nonsending) public func transact<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .transact, key, optimistic, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  nonisolated(nonsending) public func transact<
    Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .transact, key(of: object), optimistic, isIdempotent))
  }

  /// The same with a completion.
  public func transact<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false, completion: @escaping QueueCompletion
  ) {
    enqueue(Result { try submission(mutation, .transact, key, optimistic, isIdempotent) }) {
      result in DispatchQueue.main.async { completion(result) }
    }
  }

  /// The same for callers that are off the main thread already: it blocks until the operation is
  /// durably queued. Not to be called in a transaction of the store.
  @discardableResult
  public func transactAndWait<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .transact, key, optimistic, isIdempotent))
  }

  /// Queues a one-way save: of several that were not sent yet, the last one takes the place of the
  /// first. Otherwise as with `transact`.
  ///
  /// - Throws: ``OutboxError``: `unsupportedOperation` for a type whose configuration does not list
  ///   `save`; `StoreError`.
  @discardableResult
  nonisolated(nonsending) public func persist<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .save, key, optimistic, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  nonisolated(nonsending) public func persist<
    Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .save, key(of: object), optimistic, isIdempotent))
  }

  /// The same for callers that are off the main thread already; see
  /// `transactAndWait`.
  @discardableResult
  public func persistAndWait<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) throws -> String {
    try enqueueAndWait(submission(mutation, .save, key, optimistic, isIdempotent))
  }
}
