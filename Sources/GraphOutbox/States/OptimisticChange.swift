import GraphJSON
import GraphQLRuntime
import GraphStore

extension Graph {
  /// The expected change of an object by a queued operation. Readers and observers of the store see
  /// it at once, on top of the server's values, until the operation ends.
  ///
  /// ```swift
  /// let outbox = try await Graph.Outbox(store: store, client: client)
  /// let change = Graph.OptimisticChange.update(["note": "Ring twice"])
  /// try await outbox.queue(mutation, for: cart, optimistic: change)
  /// ```
  ///
  /// Fields have their names in the schema, and their values are JSON as the server would send it.
  /// Objects in them are identified by their keys; one that has other fields as well is changed too,
  /// or created. Lists are replaced as a whole. A connection, which is kept page by page, cannot be
  /// changed in this way.
  public struct OptimisticChange: Sendable, Hashable {
    let expected: ExpectedChange

    /// The fields that change; nil for a deletion.
    public var fields: GraphQL.JSON? {
      switch expected {
      case .create(let fields), .update(let fields): fields
      case .delete: nil
      }
    }

    /// Creates an object with these fields and its key.
    public static func create(_ fields: GraphQL.JSON) -> OptimisticChange {
      OptimisticChange(expected: .create(fields))
    }

    /// Changes these fields of the object. If the store does not have the object, nothing is created.
    public static func update(_ fields: GraphQL.JSON) -> OptimisticChange {
      OptimisticChange(expected: .update(fields))
    }

    /// Deletes the object; its type's delete rules apply to references.
    public static let delete = OptimisticChange(expected: .delete)

    func mapping<E: Error>(_ transform: (JSON) throws(E) -> JSON) throws(E) -> OptimisticChange {
      switch expected {
      case .create(let fields): .create(try transform(fields))
      case .update(let fields): .update(try transform(fields))
      case .delete: self
      }
    }
  }
}
