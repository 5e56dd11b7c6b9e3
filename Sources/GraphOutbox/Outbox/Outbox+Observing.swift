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
  ///
  /// - Parameter limit: how many steps are kept that nobody has taken yet. What is dropped then is said:
  ///   ``Transition/missed``.
  public func transitions(keeping limit: Int = 1024) -> Transitions {
    queue.hub.transitions(keeping: limit)
  }

  /// Where the writes of an object are: its oldest operation that has not ended or, when there is none,
  /// how the last one ended, until its receipt is acknowledged. nil when nothing is known of any.
  public func state(of key: GraphQL.EntityKey) throws(StoreError) -> SyncState? {
    try queue.state(of: key)
  }

  /// The same for an object that was read from a response or the store.
  public func state<Object: GraphQL.AbstractResponse>(of object: Object) throws -> SyncState? {
    try state(of: key(of: object))
  }

  /// Where the writes of an object are, now and after each change; see `state(of:)`.
  public func states(of key: GraphQL.EntityKey) -> SyncStates {
    SyncStates(queue: queue, key: key)
  }

  /// The same for an object that was read from a response or the store.
  public func states<Object: GraphQL.AbstractResponse>(of object: Object) throws -> SyncStates {
    states(of: try key(of: object))
  }

  /// Calls `onChange` on the main actor with where the writes of an object are, now and after each
  /// change, until the token is let go of.
  public func observe(
    _ key: GraphQL.EntityKey, onChange: @escaping @MainActor @Sendable (SyncState?) -> Void
  ) -> ObservationToken {
    ObservationToken(states(of: key), nil, onChange)
  }

  /// The same for an object that was read from a response or the store.
  public func observe<Object: GraphQL.AbstractResponse>(
    _ object: Object, onChange: @escaping @MainActor @Sendable (SyncState?) -> Void
  ) throws -> ObservationToken {
    observe(try key(of: object), onChange: onChange)
  }

  /// Calls `onStep` on the main actor with every step from now on, until the token is let go of.
  ///
  /// - Parameter limit: as for ``transitions(keeping:)``.
  public func observeTransitions(
    keeping limit: Int = 1024, onStep: @escaping @MainActor @Sendable (Transition) -> Void
  ) -> ObservationToken {
    ObservationToken(transitions(keeping: limit), nil, onStep)
  }

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
      "SELECT \(Receipt.columns) FROM outbox_receipt ORDER BY finished, seq, id", [], Receipt.init
    ).compactMap { $0 }
  }

  /// Forgets the receipt of an operation, with what it has of a rejected one.
  public func acknowledge(_ operation: String) async throws {
    try checkOpen()
    try await queue.change { try $0.acknowledge(operation) }
    queue.hub.receiptsChanged()
  }
}
