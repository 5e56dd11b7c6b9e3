import GraphJSON
import GraphQLRuntime
import GraphStore

extension Graph {
  /// The expected effect of a queued operation. Readers and observers of the store see it at once, on top of the
  /// server's values, until the operation ends.
  ///
  /// ```swift
  /// let outbox = try await Graph.Outbox(store: store, client: client)
  /// let change: Graph.OptimisticChange = .update(["note": "Ring twice"])
  /// try await outbox.queue(mutation, for: cart, optimistic: change)
  /// ```
  ///
  /// A change that names no object is one of the object for which the operation is queued.
  public typealias OptimisticChange = StoreChange
}

extension Graph.StoreChange {
  /// The change with other values in place of temporary keys.
  func resolving<E: Error>(_ transform: (JSON) throws(E) -> JSON) throws(E) -> Graph.StoreChange {
    try mapping(
      keys: { key throws(E) in
        guard case .string(let text) = try transform(.string(key.key)) else { return key }
        return GraphQL.EntityKey(typeName: key.typeName, key: text)
      }, fields: transform)
  }
}
