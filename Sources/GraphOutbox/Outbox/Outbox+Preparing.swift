import Dispatch
import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

/// What is queued, and how its answer is stored.
extension Outbox {
  typealias Prepared = (operation: NewOperation, write: AnswerWriter)

  func enqueue(_ prepared: Prepared) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(.success(prepared)) { continuation.resume(with: $0) }
    }
  }

  func enqueue(
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

  func enqueueAndWait(_ prepared: Prepared) throws -> String {
    let outcome = Outcome()
    enqueue(.success(prepared)) { result in
      outcome.value.withLock { $0 = result }
      outcome.isThere.signal()
    }
    outcome.isThere.wait()
    guard let result = outcome.value.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }

  func key<Object: GraphQL.AbstractResponse>(
    of object: Object
  ) throws -> GraphQL.EntityKey {
    guard let key = try queue.store.key(of: object) else {
      throw OutboxError(.notAnEntity, "the object has no key, or it was not selected")
    }
    return key
  }

  func prepare<Mutation: GraphQL.MutationBuilder>(
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

/// What a caller waits for.
private final class Outcome: Sendable {
  let value = Locked<Result<String, any Error>?>(nil)
  let isThere = DispatchSemaphore(value: 0)
}
