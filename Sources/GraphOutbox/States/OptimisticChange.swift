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

// The text in which the queue keeps an expected change, for the receipt of a rejected operation.
extension Graph.StoreChange {
  /// - Parameter key: the operation's object.
  /// - Returns: empty if nothing of the change may be written to the file, because its objects are of transient types.
  func text(
    storedBy transaction: Graph.Transaction, of key: GraphQL.EntityKey
  ) -> String {
    func typeName(_ target: Target) -> String {
      if case .key(let key) = target { key.typeName } else { key.typeName }
    }
    let steps = steps.compactMap { step -> Step? in
      switch step {
      case .create(let target, let fields):
        return transaction.storable(fields, ofType: typeName(target)).map { .create(target, $0) }
      case .update(let target, let fields):
        return transaction.storable(fields, ofType: typeName(target)).map { .update(target, $0) }
      case .delete(.key(let key)): return transaction.isTransient(key.typeName) ? nil : step
      case .delete(.object): return step
      case .edit(let edit, let list):
        let names = [edit.key.typeName, list.owner.typeName]
        return names.contains(where: transaction.isTransient) ? nil : step
      case .invalid: return nil
      }
    }
    return steps.isEmpty ? "" : Graph.StoreChange(steps).json.description
  }

  /// nil for a text that this version cannot read.
  init?(text: String) {
    guard let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
    self.init(json)
  }
}
