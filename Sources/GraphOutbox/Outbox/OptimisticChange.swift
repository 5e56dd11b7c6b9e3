import GraphJSON
import GraphQLRuntime
import GraphStore

/// The expected change of an object by a queued operation. Readers and observers of the store see it at
/// once, over what the server says, until the operation ends.
///
/// ```swift
/// let outbox = try await Outbox(store: store, client: client)
/// let change = OptimisticChange.update(["note": "Ring twice"])
/// try await outbox.transact(mutation, for: cart, optimistic: change)
/// ```
///
/// Fields are named as in the schema, and their values are JSON as the server would send it. Objects in
/// them are recognised by their keys: one that has other fields as well is changed too, or made. Lists are
/// replaced as a whole. A connection, which is kept page by page, cannot be changed so.
public struct OptimisticChange: Sendable, Hashable {
  let expected: ExpectedChange

  /// The fields that change; nil for a deletion.
  public var fields: GraphQL.JSON? {
    switch expected {
    case .create(let fields), .update(let fields): fields
    case .delete: nil
    }
  }

  /// There is such an object from now on, with these fields and its key.
  public static func create(_ fields: GraphQL.JSON) -> OptimisticChange {
    OptimisticChange(expected: .create(fields))
  }

  /// These fields of the object change. An object that the store does not have stays away.
  public static func update(_ fields: GraphQL.JSON) -> OptimisticChange {
    OptimisticChange(expected: .update(fields))
  }

  /// The object is gone, and references to it as its type's delete rule says.
  public static let delete = OptimisticChange(expected: .delete)

  func mapping<E: Error>(_ transform: (JSON) throws(E) -> JSON) throws(E) -> OptimisticChange {
    switch expected {
    case .create(let fields): .create(try transform(fields))
    case .update(let fields): .update(try transform(fields))
    case .delete: self
    }
  }
}
