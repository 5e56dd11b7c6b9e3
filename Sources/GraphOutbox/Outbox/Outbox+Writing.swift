import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

extension Graph.Outbox {
  /// A placeholder in a mutation's arguments, or a directive's, where the server expects an
  /// idempotency key; each operation gets its own when it is queued.
  public static let idempotencyKeyPlaceholder = "treeswift-idempotency-key"

  /// Queues a mutation that must be carried out, and whose receipt must be acknowledged.
  ///
  /// An object that the server does not know yet has a `TemporaryKey`; the first mutation for it
  /// creates it.
  ///
  /// - Parameters:
  ///   - key: the object to write. Its mutations are sent one after another.
  ///   - optimistic: what readers of the store see until the server has responded.
  ///   - isIdempotent: whether the server may carry it out twice without harm. In that case it is
  ///     also retried if its outcome is unknown, as with an idempotency key.
  /// - Returns: the operation's ID, when it is durably queued.
  /// - Throws: ``OutboxError``, such as `notAnEntity` for a type that the schema does not have;
  ///   `Graph.StoreError`, such as `invalidJSON` for fields that the object does not have;
  ///   `GraphQL.StaleGeneration` if the user logs out before the operation is queued. Nothing was
  ///   queued then.
  @discardableResult
  nonisolated(nonsending) public func queue<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .mutation, key, optimistic, isIdempotent))
  }

  /// Queues a mutation for an object that was read from a response or the store.
  @discardableResult
  nonisolated(nonsending) public func queue<
    Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .mutation, key(of: object), optimistic, isIdempotent))
  }

  /// Queues a one-way save: of several that were not sent yet, the last one replaces the first.
  /// Otherwise like `queue`.
  ///
  /// - Throws: ``OutboxError``: `unsupportedOperation` for a type whose configuration does not list
  ///   `save`; `Graph.StoreError`.
  @discardableResult
  nonisolated(nonsending) public func queueSave<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .save, key, optimistic, isIdempotent))
  }

  /// Queues a one-way save of an object that was read from a response or the store.
  @discardableResult
  nonisolated(nonsending) public func queueSave<
    Mutation: GraphQL.MutationRepresentable, Object: GraphQL.AbstractResponse
  >(
    _ mutation: Mutation, for object: Object, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(submission(mutation, .save, key(of: object), optimistic, isIdempotent))
  }
}
