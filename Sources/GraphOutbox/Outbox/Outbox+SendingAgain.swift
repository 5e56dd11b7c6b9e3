import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

extension Outbox {
  /// A rejected operation, to be edited before it is sent again.
  public struct Draft: Sendable {
    /// The object that it writes.
    public let entity: GraphQL.EntityKey
    /// Its name in its document; empty when it has none.
    public let name: String
    /// Its variables, by their names in the document.
    public var variables: GraphQL.JSON
    /// The change that readers of the store see until the server has answered.
    public var optimistic: OptimisticChange?

    /// The value of an argument of the mutation; nil where it has none. Setting nil takes it away.
    public subscript(argument: String) -> GraphQL.JSON? {
      get { variables[variable(argument)] }
      set {
        guard case .object(var object) = variables else { return }
        object[variable(argument)] = newValue
        variables = .object(object)
      }
    }

    /// The variable of an argument is called after it, with its ordinal.
    private func variable(_ argument: String) -> String {
      VersionArgument(name: argument).variable(in: variables) ?? argument
    }
  }

  /// Queues a rejected operation again, as `edit` leaves it, and acknowledges its receipt, in one step.
  ///
  /// It is another request, with an idempotency key of its own, at the end of its object's queue. An
  /// object that was to be made by it may come to be again, under the same temporary key; operations
  /// that needed it have receipts of their own.
  ///
  /// - Parameter operation: the ID in the receipt.
  /// - Returns: the ID of the new operation, when it is durably queued.
  /// - Throws: ``OutboxError``: `unknownOperation` where there is no such receipt; `newerSave` for a save
  ///   while a newer one of the same object is in the queue; `invalidMutation` for a variable that the
  ///   document does not declare, and where a file to send is gone or has changed since the operation was
  ///   queued. The errors of `edit`; `StoreError`. Nothing has changed then.
  @discardableResult
  nonisolated(nonsending) public func sendAgain(
    _ operation: String, editing edit: (inout Draft) throws -> Void = { _ in }
  ) async throws -> String {
    let owner = queue.store.generation
    var new = try await rejected(operation)
    var draft = Draft(
      entity: new.entity, name: new.name, variables: new.variables, optimistic: new.optimistic)
    try edit(&draft)
    guard !new.document.isEmpty else {
      throw OutboxError(
        .invalidMutation,
        "the document of the rejected operation was damaged: send another mutation in its place")
    }
    try DeclaredVariables(in: new.document).check(draft.variables)
    new.variables = draft.variables.replacing(Outbox.idempotencyKeyPlaceholder, with: new.id)
    new.optimistic = draft.optimistic
    return try await enqueue(
      Submission(operation: new, owner: owner, write: nil, receipt: operation))
  }

  /// The same with another mutation for the same object in the place of the rejected one. Its files are sent
  /// as they are now.
  ///
  /// - Parameters:
  ///   - operation: the ID in the receipt.
  ///   - optimistic: what readers of the store see of it until the server has answered.
  ///   - isIdempotent: whether the server may carry it out twice without harm.
  @discardableResult
  nonisolated(nonsending) public func sendAgain<Mutation: GraphQL.MutationBuilder>(
    _ operation: String, as mutation: Mutation, optimistic: OptimisticChange? = nil,
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
    guard let new = try await queue.change({ try $0.rejected(operation, as: id) }) else {
      throw OutboxError.noReceipt
    }
    return new
  }
}
