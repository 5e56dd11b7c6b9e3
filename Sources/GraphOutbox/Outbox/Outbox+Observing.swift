import GraphQLRuntime
import GraphStore

extension Graph.Outbox {
  /// The queue as a whole.
  public struct Summary: Sendable, Hashable {
    /// The number of operations that have not ended.
    public let count: Int
    /// How long the oldest of them has been in the queue; nil if the queue is empty.
    public let oldestAge: Duration?
  }

  /// Every transition from now on, in the order in which they became durable.
  ///
  /// - Parameter limit: the number of transitions that are buffered for a slow reader.
  ///   ``Transition/missed`` is the number of dropped ones.
  public func transitions(keeping limit: Int = 1024) -> Graph.Transitions {
    queue.hub.transitions(keeping: limit)
  }

  /// The state of an object's writes: that of its oldest operation that has not ended or, if there
  /// is none, the outcome of the last one until its receipt is acknowledged. nil if there is
  /// neither.
  public func state(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> Graph.SyncState? {
    try queue.state(of: key)
  }

  /// The state of the writes of an object that was read from a response or the store.
  public func state<Object: GraphQL.AbstractResponse>(of object: Object) throws -> Graph.SyncState?
  {
    try state(of: key(of: object))
  }

  /// The states of an object's writes, now and after each change; see `state(of:)`.
  public func states(of key: GraphQL.EntityKey) -> Graph.SyncStates {
    Graph.SyncStates(queue: queue, key: key)
  }

  /// The states of the writes of an object that was read from a response or the store, now and after each
  /// change.
  public func states<Object: GraphQL.AbstractResponse>(of object: Object) throws -> Graph.SyncStates
  {
    states(of: try key(of: object))
  }

  /// Calls `onChange` on the main actor with the state of an object's writes, now and after each change,
  /// until the token is released.
  ///
  /// - Parameter onError: called with the reason if the states can no longer be read; there are no
  ///   calls after that. See ``failure``.
  public func observe(
    _ key: GraphQL.EntityKey, onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    onChange: @escaping @MainActor @Sendable (Graph.SyncState?) -> Void
  ) -> Graph.ObservationToken {
    Graph.ObservationToken(states(of: key), onError, onChange)
  }

  /// Calls `onChange` on the main actor with the state of the writes of an object that was read from a
  /// response or the store, now and after each change, until the token is released.
  public func observe<Object: GraphQL.AbstractResponse>(
    _ object: Object, onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    onChange: @escaping @MainActor @Sendable (Graph.SyncState?) -> Void
  ) throws -> Graph.ObservationToken {
    observe(try key(of: object), onError: onError, onChange: onChange)
  }

  /// Calls `onTransition` on the main actor with every transition from now on, until the token is
  /// released.
  ///
  /// - Parameter limit: as in ``transitions(keeping:)``.
  public func observeTransitions(
    keeping limit: Int = 1024,
    onTransition: @escaping @MainActor @Sendable (Graph.Transition) -> Void
  ) -> Graph.ObservationToken {
    Graph.ObservationToken(transitions(keeping: limit), nil, onTransition)
  }

  /// The state of an operation, in the queue or in its receipt; nil if it is unknown.
  public func state(ofOperation id: String) throws(Graph.StoreError) -> Graph.OperationState? {
    let states = try queue.store.rows(
      """
      SELECT \(QueueTables.state) FROM outbox_operation WHERE id = ?1
      UNION ALL SELECT state FROM outbox_receipt WHERE id = ?1
      """, [.text(id)]
    ) { Graph.OperationState(rawValue: $0.text(0)) }
    return states.first ?? nil
  }

  /// The number of operations to send.
  public func summary() throws(Graph.StoreError) -> Summary {
    let rows = try queue.store.rows(
      "SELECT count(*), coalesce(min(created), 0) FROM outbox_operation", []
    ) { ($0.integer(0), $0.integer(1)) }
    let (count, created) = rows.first ?? (0, 0)
    return Summary(
      count: Int(count),
      oldestAge: count == 0 ? nil : .milliseconds(max(queue.now.wall - created, 0)))
  }

  /// The server's key of an object that had a temporary one; nil while it is not known.
  public func key(for temporary: GraphQL.ID) throws(Graph.StoreError) -> GraphQL.ID? {
    try queue.key(for: temporary.rawValue).map(GraphQL.ID.init(rawValue:))
  }

  /// The receipts of ended operations that were not acknowledged, the oldest first.
  public func receipts() throws(Graph.StoreError) -> [Graph.Receipt] {
    try queue.receipts()
  }

  /// Deletes the receipt of an operation, including the contents of a rejected one.
  public func acknowledge(_ operation: String) async throws {
    try checkOpen()
    try await queue.change { try $0.acknowledge(operation) }
    queue.hub.receiptsChanged()
  }
}

extension Graph {
  /// The states of one object's writes: the current one, then one after each change; nil while there
  /// are none.
  ///
  /// A slow observer gets the newest state and skips those between. An object with a temporary key is
  /// followed when it gets the server's. The sequence ends when its task is cancelled or the outbox
  /// is closed, and throws `Graph.StoreError` when the store cannot be read or the outbox has stopped by
  /// itself (``Outbox/failure``).
  public struct SyncStates: AsyncSequence, Sendable {
    public typealias Element = SyncState?

    let queue: OutboxQueue
    let key: GraphQL.EntityKey

    public func makeAsyncIterator() -> Iterator {
      Iterator(
        queue: queue, key: key, signal: queue.hub.signal(ofType: key.typeName).makeAsyncIterator())
    }

    /// Yields the state at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      let queue: OutboxQueue
      let key: GraphQL.EntityKey
      var signal: AsyncStream<Void>.Iterator
      private var last: SyncState??

      init(queue: OutboxQueue, key: GraphQL.EntityKey, signal: AsyncStream<Void>.Iterator) {
        self.queue = queue
        self.key = key
        self.signal = signal
      }

      public mutating func next() async throws -> SyncState?? {
        while true {
          if last != nil, await signal.next() == nil {
            guard let failure = queue.hub.failure, !Task.isCancelled else { return nil }
            throw failure
          }
          let state = try queue.state(of: key)
          if last == .some(state) { continue }
          last = state
          return .some(state)
        }
      }
    }
  }
}
