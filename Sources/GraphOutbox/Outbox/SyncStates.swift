import GraphQLRuntime
import GraphStore

/// Where the writes of one object are on their way: the state now, then one after each change; nil while
/// none is queued.
///
/// A slow observer gets the newest state and none of those between. An object with a temporary key is
/// followed when it gets the server's. The sequence ends when its task is cancelled.
public struct SyncStates: AsyncSequence, Sendable {
  public typealias Element = OperationState?

  let outbox: Outbox
  let key: GraphQL.EntityKey

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      outbox: outbox, key: key,
      signal: outbox.queue.hub.signal(ofType: key.typeName).makeAsyncIterator())
  }

  /// Yields the state when it begins, and again after each change.
  public struct Iterator: AsyncIteratorProtocol {
    let outbox: Outbox
    let key: GraphQL.EntityKey
    var signal: AsyncStream<Void>.Iterator
    private var last: OperationState??

    init(outbox: Outbox, key: GraphQL.EntityKey, signal: AsyncStream<Void>.Iterator) {
      self.outbox = outbox
      self.key = key
      self.signal = signal
    }

    public mutating func next() async throws -> OperationState?? {
      while true {
        if last != nil {
          guard await signal.next() != nil else { return nil }
        }
        let state = try outbox.state(of: key)
        if last == .some(state) { continue }
        last = state
        return .some(state)
      }
    }
  }
}
