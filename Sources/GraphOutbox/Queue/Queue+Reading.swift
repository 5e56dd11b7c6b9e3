import GraphQLRuntime
import GraphStore

extension Queue {
  /// Where the writes of an object are; nil when nothing is known of any.
  func state(of key: GraphQL.EntityKey) throws(StoreError) -> SyncState? {
    let key = try current(key)
    let open = try store.side(
      """
      SELECT \(SyncState.columns) FROM outbox_operation WHERE entity = ?1 ORDER BY seq LIMIT 1
      """, [.text(key)], SyncState.init)
    if let state = open.first ?? nil { return state }
    // An operation that ends between the two is found here; one that is queued is told of next.
    let ended = try store.side(
      """
      SELECT \(Receipt.columns) FROM outbox_receipt WHERE entity = ?1 ORDER BY seq DESC LIMIT 1
      """, [.text(key)], Receipt.init)
    return (ended.first ?? nil).map(SyncState.init)
  }

  /// The key that an object has now, as text.
  private func current(_ key: GraphQL.EntityKey) throws(StoreError) -> String {
    guard TemporaryKey.isTemporary(key.key) else { return key.description }
    let known = try store.side(
      "SELECT key FROM outbox_identity WHERE temporary = ?1 AND key <> ''", [.text(key.key)]
    ) { GraphQL.EntityKey(typeName: key.typeName, key: $0.text(0)).description }
    return known.first ?? key.description
  }
}
