import GraphQLRuntime
import GraphStore

extension Outbox {
  /// The queue as a whole.
  public struct Summary: Sendable, Hashable {
    /// How many operations have not ended.
    public let count: Int
    /// How long the oldest of them has been in the queue; nil when it is empty.
    public let oldestAge: Duration?
  }

  /// Every step from now on, in the order in which they became durable.
  public func transitions() -> AsyncStream<Transition> { queue.hub.stream() }

  /// The state of an object: that of its oldest operation that has not ended; nil when it has none.
  public func state(of key: GraphQL.EntityKey) throws(StoreError) -> OperationState? {
    let states = try queue.store.side(
      """
      SELECT \(QueueTables.state) FROM outbox_operation WHERE entity = coalesce(
        (SELECT ?2 || key FROM outbox_identity WHERE temporary = ?3 AND key <> ''), ?1)
      ORDER BY seq LIMIT 1
      """,
      [.text(key.description), .text("\(key.typeName):"), .text(key.key)]
    ) { OperationState(rawValue: $0.text(0)) }
    return states.first ?? nil
  }

  /// The state of an object, now and after each change; see ``state(of:)``.
  public func states(of key: GraphQL.EntityKey) -> SyncStates { SyncStates(outbox: self, key: key) }

  /// The state of an operation, in the queue or by its receipt; nil when nothing is known of it.
  public func state(ofOperation id: String) throws(StoreError) -> OperationState? {
    let states = try queue.store.side(
      """
      SELECT \(QueueTables.state) FROM outbox_operation WHERE id = ?1
      UNION ALL SELECT state FROM outbox_receipt WHERE id = ?1
      """, [.text(id)]
    ) { OperationState(rawValue: $0.text(0)) }
    return states.first ?? nil
  }

  /// How much there is to send.
  public func summary() throws(StoreError) -> Summary {
    let rows = try queue.store.side(
      "SELECT count(*), coalesce(min(created), 0) FROM outbox_operation", []
    ) { ($0.integer(0), $0.integer(1)) }
    let (count, created) = rows.first ?? (0, 0)
    return Summary(
      count: Int(count),
      oldestAge: count == 0 ? nil : .milliseconds(max(queue.now.wall - created, 0)))
  }

  /// The server's key of an object that had a temporary one; nil while that is not known.
  public func key(for temporary: GraphQL.ID) throws(StoreError) -> GraphQL.ID? {
    try queue.store.side(
      "SELECT key FROM outbox_identity WHERE temporary = ?1 AND key <> ''",
      [.text(temporary.rawValue)]
    ) { GraphQL.ID(rawValue: $0.text(0)) }.first
  }

  /// What became of operations, the oldest first, as far as it was not acknowledged.
  public func receipts() throws(StoreError) -> [Receipt] {
    try queue.store.side(
      "SELECT \(Receipt.columns) FROM outbox_receipt ORDER BY finished, id", [], Receipt.init
    ).compactMap { $0 }
  }

  /// Forgets the receipt of an operation.
  public func acknowledge(_ operation: String) async throws {
    try await queue.change {
      _ = try $0.transaction.side(
        "DELETE FROM outbox_receipt WHERE id = ?1", [.text(operation)])
    }
  }
}
