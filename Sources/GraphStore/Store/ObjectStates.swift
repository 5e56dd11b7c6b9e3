import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The states of one object: the current one, then one after each change; nil while there is no
  /// such object.
  ///
  /// A slow observer gets the newest state and skips those between. The sequence ends when its task
  /// is cancelled.
  public struct ObjectStates<Object: GraphQL.AbstractResponse>: AsyncSequence, Sendable {
    public typealias Element = Object?

    let store: Store
    let key: GraphQL.EntityKey

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, key: key) }

    /// Yields the state at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      private let store: Store
      private let key: GraphQL.EntityKey
      private let signal = WakeSignal()
      private let registration: Registration
      private var isFirst = true
      private var last: JSONDocument?

      init(store: Store, key: GraphQL.EntityKey) {
        self.store = store
        self.key = key
        registration = store.hub.observe([key], signal)
      }

      public mutating func next() async throws -> Object?? {
        while true {
          if !isFirst {
            guard await signal.wait() else { return nil }
          }
          let record = try store.committed.record(store.hub.name(of: key))
          // A change and its reversal may have been combined, so that the object is the same.
          let isSame = !isFirst && (record.map { last?.isSame(as: $0) ?? false } ?? (last == nil))
          isFirst = false
          last = record
          if !isSame { return .some(record.map { store._reader.object($0) }) }
        }
      }
    }
  }
}
