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

extension Graph.Outbox {
  /// A rejected operation that can be edited before it is queued again.
  public struct Draft: Sendable {
    /// The object that it writes.
    public let entity: GraphQL.EntityKey
    /// Its name in its document; empty if it has none.
    public let name: String
    /// Its variables, by their names in the document.
    public var variables: GraphQL.JSON
    /// The change that readers of the store see until the server has responded.
    public var optimistic: Graph.OptimisticChange?
    let document: String

    /// The value of an argument of the mutation, if it is a variable of the document; nil if it has none. Setting
    /// nil removes it.
    public subscript(argument: String) -> GraphQL.JSON? {
      get { variables[variable(argument)] }
      set {
        guard case .object(var object) = variables else { return }
        object[variable(argument)] = newValue
        variables = .object(object)
      }
    }

    private func variable(_ argument: String) -> String {
      MutationArgument(argument, in: document, variables, of: entity.key).variable ?? argument
    }
  }

  /// Queues a rejected operation again, after `edit` has changed it, and acknowledges its receipt,
  /// in one transaction.
  ///
  /// The new operation is another request, with its own idempotency key, at the end of its object's
  /// queue. An object whose creation was rejected may be created under the same temporary key.
  /// Operations that needed the rejected one have their own receipts and are not queued with it.
  ///
  /// - Parameter operation: the ID in the receipt.
  /// - Returns: the ID of the new operation, when it is durably queued.
  /// - Throws: ``OutboxError``: `unknownOperation` if there is no such receipt; `newerSave` for a
  ///   save while a newer one of the same object is in the queue; `invalidMutation` for a variable
  ///   that the document does not declare, and if a file to send is missing or has changed since
  ///   the operation was queued. The errors of `edit`; `Graph.StoreError`. Nothing has changed then.
  @discardableResult
  nonisolated(nonsending) public func requeue(
    _ operation: String, editing edit: (inout Draft) throws -> Void = { _ in }
  ) async throws -> String {
    let owner = queue.store.generation
    var new = try await rejected(operation)
    var draft = Draft(
      entity: new.entity, name: new.name, variables: new.variables, optimistic: new.optimistic,
      document: new.document)
    try edit(&draft)
    guard !new.document.isEmpty else {
      throw Graph.OutboxError(
        .invalidMutation,
        "the document of the rejected operation was damaged: send another mutation in its place")
    }
    try DeclaredVariables(in: new.document).check(draft.variables)
    new.variables = draft.variables.replacing(Graph.Outbox.idempotencyKeyPlaceholder, with: new.id)
    new.optimistic = draft.optimistic
    return try await enqueue(
      Submission(operation: new, owner: owner, write: nil, receipt: operation))
  }

  /// Queues another mutation for the same object in place of a rejected one, and acknowledges the
  /// receipt of that, in one transaction. The new mutation uses the current contents of its files.
  ///
  /// - Parameters:
  ///   - operation: the ID in the receipt.
  ///   - optimistic: what readers of the store see until the server has responded.
  ///   - isIdempotent: whether the server may carry it out twice without harm.
  @discardableResult
  nonisolated(nonsending) public func requeue<Mutation: GraphQL.MutationRepresentable>(
    _ operation: String, as mutation: Mutation, optimistic: Graph.OptimisticChange? = nil,
    isIdempotent: Bool = false
  ) async throws -> String {
    let old = try await rejected(operation)
    var submission = try submission(mutation, old.kind, old.entity, optimistic, isIdempotent)
    submission.receipt = operation
    return try await enqueue(submission)
  }

  nonisolated(nonsending) private func rejected(_ operation: String) async throws -> NewOperation {
    try checkOpen()
    let id = UUID().uuidString.lowercased()
    guard let new = try await queue.read({ try $0.rejected(operation, as: id) }) else {
      throw Graph.OutboxError.noReceipt
    }
    return new
  }
}

// User content may be secret. It is not part of any text that a program prints or logs
// incidentally.

extension Graph.Receipt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The operation and its outcome, without its content.
  public var description: String {
    let reason = reason.map { ", \($0)" } ?? ""
    return "\(name) \(operation) on \(entity.typeName): \(state)\(reason)"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["receipt": description]) }
}

extension Graph.Outbox.Draft: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The operation's name and object, without its content.
  public var description: String { "\(name) on \(entity.typeName)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["draft": description]) }
}
