import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

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
