import GraphQLRuntime
import GraphStore

extension OutboxQueue {
  /// The state of an object's writes; nil if there are none.
  func state(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> Graph.SyncState? {
    let key = try current(key)
    let open = try store.rows(
      """
      SELECT \(Graph.SyncState.columns) FROM outbox_operation WHERE entity = ?1 ORDER BY seq LIMIT 1
      """, [.text(key.description)], Graph.SyncState.init)
    if let state = open.first ?? nil { return state }
    // An operation that ends between the two reads is found here. One that is queued between them is
    // published next.
    var ended = try store.rows(
      """
      SELECT \(Graph.Receipt.columns) FROM outbox_receipt WHERE entity = ?1 ORDER BY seq DESC LIMIT 1
      """, [.text(key.description)], receipt)
    // The receipts of a transient object have no key.
    for id in memory.operations(on: key) {
      ended += try store.rows(
        "SELECT \(Graph.Receipt.columns) FROM outbox_receipt WHERE id = ?1", [.text(id)], receipt)
    }
    return ended.compactMap { $0 }.max { $0.seq < $1.seq }.map(Graph.SyncState.init)
  }

  /// The receipts, the oldest first.
  func receipts() throws(Graph.StoreError) -> [Graph.Receipt] {
    try store.rows(
      "SELECT \(Graph.Receipt.columns) FROM outbox_receipt ORDER BY finished, seq, id", [], receipt
    ).compactMap { $0 }
  }

  private func receipt(_ row: ExtensionRow) -> Graph.Receipt? {
    Graph.Receipt(row, of: memory.entity(of: row.text(0)))
  }

  /// The server's key of an object that had a temporary one; nil while it is not known.
  func key(for temporary: String) throws(Graph.StoreError) -> String? {
    if let key = memory.key(for: temporary) { return key }
    return try store.rows(
      "SELECT key FROM outbox_identity WHERE temporary = ?1 AND key <> ''", [.text(temporary)]
    ) { $0.text(0) }.first
  }

  /// An entity with its current key.
  private func current(_ key: GraphQL.EntityKey) throws(Graph.StoreError) -> GraphQL.EntityKey {
    guard Graph.TemporaryKey.isTemporary(key.key), let known = try self.key(for: key.key) else {
      return key
    }
    return GraphQL.EntityKey(typeName: key.typeName, key: known)
  }
}
