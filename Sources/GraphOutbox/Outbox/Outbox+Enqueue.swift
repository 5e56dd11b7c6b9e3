import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

extension Graph.Outbox {
  func enqueue(_ submission: Submission) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(.success(submission)) { continuation.resume(with: $0) }
    }
  }

  /// Keeps the order of the calls.
  ///
  /// - Parameter completion: called on any thread when the operation is durably queued.
  package func enqueue(
    _ submission: Result<Submission, any Error>,
    _ completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) {
    switch submission {
    case .failure(let error): completion(.failure(error))
    case .success(let submission):
      intake.async { [queue, sender, lock] in
        do {
          if let failure = queue.hub.failure { throw failure }
          if lock.isClosed { throw Graph.OutboxError.closed }
          let operation = try submission.operation.withChecksums()
          queue.enqueue(operation, submission) { result in
            completion(result)
            Task { await sender.sendDue() }
          }
        } catch {
          completion(.failure(error))
        }
      }
    }
  }

  package func key<Object: GraphQL.AbstractResponse>(
    of object: Object
  ) throws -> GraphQL.EntityKey {
    guard let key = try queue.store.key(of: object) else {
      throw Graph.OutboxError(.notAnEntity, "the object has no key, or it was not selected")
    }
    return key
  }

  package func submission<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, _ kind: NewOperation.Kind, _ key: GraphQL.EntityKey,
    _ optimistic: Graph.OptimisticChange?, _ isIdempotent: Bool
  ) throws -> Submission {
    let owner = queue.store.generation
    guard queue.store.isEntity(key.typeName) else {
      throw Graph.OutboxError(
        .notAnEntity, "\(key.typeName) is not an object type with a key in the schema")
    }
    if kind == .save, !queue.rules.allowsSaves(ofType: key.typeName) {
      throw Graph.OutboxError(
        .unsupportedOperation,
        "objects of \(key.typeName) cannot be saved with one-way mutations: list `save` in its supportedOperations, in "
          + "graphql-generator.json or in the outbox's configuration"
      )
    }
    let operation: GraphQL.Operation<Mutation.Response>
    do { operation = try mutation.operation() } catch {
      throw Graph.OutboxError(
        .invalidMutation, "the mutation is incomplete: \(error)", cause: error)
    }
    let storesByNames = operation.isStoredByNames
    guard storesByNames || !Graph.TemporaryKey.isTemporary(key.key) else {
      throw Graph.OutboxError(
        .invalidMutation,
        "a mutation for an object with a temporary key cannot have aliases, or arguments below its "
          + "root field")
    }
    let id = UUID().uuidString.lowercased()
    let variables = try JSON(parsing: operation.variables)
    let keyed = variables.replacing(Graph.Outbox.idempotencyKeyPlaceholder, with: id)
    let root = operation.rootTypeName ?? ""
    let new = NewOperation(
      id: id, entity: key, kind: kind, name: operation.name ?? "", document: operation.document,
      variables: keyed, root: storesByNames ? root : "",
      fields: operation.rootFields.map { "\(root).\($0)" }.joined(separator: ","),
      isRepeatable: isIdempotent || configuration.idempotencyHeader != nil || keyed != variables,
      files: try operation.uploads.map { try QueuedFile(place: $0.path, $0.upload) },
      optimistic: optimistic)
    return Submission(operation: new, owner: owner) { transaction, bytes in
      try transaction.write(operation.response(from: bytes), of: operation)
    }
  }
}

/// An operation to queue, and how to store its response.
package struct Submission: Sendable {
  let operation: NewOperation
  /// The store's generation when it was requested.
  let owner: GraphQL.StoreGeneration
  /// nil if only the operation's text is left.
  let write: ResponseWriter?
  /// The receipt of a rejected operation that this one replaces.
  var receipt: String?
}
