import GraphOutbox
import GraphQLRuntime

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
