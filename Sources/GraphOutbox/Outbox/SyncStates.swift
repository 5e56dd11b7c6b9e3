import GraphQLRuntime
import GraphStore

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
