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
  ///   - isIdempotent: whether the server may carry it out twice without harm. So may it be sent
  ///     again when its fate is unknown, as with an idempotency key.
  /// - Returns: the operation's ID, when it is durably queued.
  /// - Throws: ``OutboxError``, `StoreError`; nothing was queued then.
  @discardableResult
  public func transact<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(prepare(mutation, .transact, key, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  public func transact<Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, isIdempotent: Bool = false
  ) async throws -> String {
    try await transact(mutation, for: key(of: object), isIdempotent: isIdempotent)
  }

  /// The same with a completion.
  public func transact<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, isIdempotent: Bool = false,
    completion: @escaping QueueCompletion
  ) {
    enqueue(Result { try prepare(mutation, .transact, key, isIdempotent) }) { result in
      DispatchQueue.main.async { completion(result) }
    }
  }

  /// Queues a one-way save: of several that were not sent yet, the last one takes the place of the
  /// first.
  ///
  /// - Throws: ``OutboxError``: `unsupportedOperation` for a type whose configuration does not list
  ///   `save`; `StoreError`.
  @discardableResult
  public func persist<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, isIdempotent: Bool = false
  ) async throws -> String {
    try await enqueue(prepare(mutation, .save, key, isIdempotent))
  }

  /// The same for an object that was read from a response or the store.
  @discardableResult
  public func persist<Mutation: GraphQL.MutationBuilder, Object: GraphQL.AbstractResponse>(
    _ mutation: Mutation, for object: Object, isIdempotent: Bool = false
  ) async throws -> String {
    try await persist(mutation, for: key(of: object), isIdempotent: isIdempotent)
  }

  /// The same with a completion.
  public func persist<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, for key: GraphQL.EntityKey, isIdempotent: Bool = false,
    completion: @escaping QueueCompletion
  ) {
    enqueue(Result { try prepare(mutation, .save, key, isIdempotent) }) { result in
      DispatchQueue.main.async { completion(result) }
    }
  }
}

extension Outbox {
  private typealias Prepared = (operation: NewOperation, write: AnswerWriter)

  private func enqueue(_ prepared: Prepared) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(.success(prepared)) { continuation.resume(with: $0) }
    }
  }

  private func enqueue(
    _ prepared: Result<Prepared, any Error>,
    _ completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    switch prepared {
    case .failure(let error): completion(.failure(error))
    case .success(let prepared):
      queue.enqueue(prepared.operation, prepared.write) { [sender] result in
        completion(result)
        Task { await sender.pump() }
      }
    }
  }

  private func key<Object: GraphQL.AbstractResponse>(
    of object: Object
  ) throws -> GraphQL.EntityKey {
    guard let key = try queue.store.key(of: object) else {
      throw OutboxError(.notAnEntity, "the object has no key, or it was not selected")
    }
    return key
  }

  private func prepare<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, _ kind: NewOperation.Kind, _ key: GraphQL.EntityKey, _ isIdempotent: Bool
  ) throws -> Prepared {
    if kind == .save,
      configuration.supportedOperations[key.typeName]?.contains(.save) != true
    {
      throw OutboxError(
        .unsupportedOperation,
        "objects of \(key.typeName) may not be saved one-way: list `save` in its supportedOperations"
      )
    }
    let operation = try mutation.operation()
    guard operation.uploads.isEmpty else {
      throw OutboxError(.invalidMutation, "a queued mutation cannot send files")
    }
    let storesByNames = operation.isStoredByNames
    guard storesByNames || !TemporaryKey.isTemporary(key.key) else {
      throw OutboxError(
        .invalidMutation,
        "a mutation for an object with a temporary key has no aliases, and no arguments below its "
          + "root field")
    }
    let id = UUID().uuidString.lowercased()
    let variables = try JSON(parsing: operation.variables)
    let keyed = variables.replacing(Outbox.idempotencyKeyPlaceholder, with: id)
    let root = Mutation.Response.schema?.objectTypeName(of: Mutation.Response.self)
    let new = NewOperation(
      id: id, entity: key, kind: kind, name: operation.name ?? "", document: operation.document,
      variables: keyed, root: storesByNames ? root ?? "" : "",
      isRepeatable: isIdempotent || configuration.idempotencyHeader != nil || keyed != variables)
    return (
      new,
      { transaction, bytes in
        try transaction.write(operation.response(from: bytes), of: operation)
      }
    )
  }
}
