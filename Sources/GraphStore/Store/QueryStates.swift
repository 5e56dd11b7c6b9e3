import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The store's responses to a query: the current one, then one after each change of an object on
  /// which it depends, including missing ones.
  ///
  /// A slow observer gets the newest response and skips those between. The sequence ends when its
  /// task is cancelled.
  public struct QueryStates<Root: GraphQL.ResponseRoot>: AsyncSequence, Sendable {
    public typealias Element = StoredResponse<Root>

    let store: Store
    let operation: GraphQL.Operation<Root>

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, operation: operation) }

    /// Yields the response at the start, and again after each change.
    public struct Iterator: AsyncIteratorProtocol {
      private let store: Store
      private let operation: GraphQL.Operation<Root>
      private let signal = WakeSignal()
      private var registration: Registration?
      private var observedEntities: Set<GraphQL.EntityKey> = []
      private var last: StoredResponse<Root>?

      init(store: Store, operation: GraphQL.Operation<Root>) {
        self.store = store
        self.operation = operation
      }

      public mutating func next() async throws -> StoredResponse<Root>? {
        while true {
          if last != nil {
            guard await signal.wait() else { return nil }
          }
          let response = try read()
          // A field changed that the query does not select.
          if let last, last.isSame(as: response) { continue }
          last = response
          return response
        }
      }

      /// Reads the response and observes the entities on which it depends.
      private mutating func read() throws -> StoredResponse<Root> {
        while true {
          let version = store.hub.version
          let response = try store.read(operation)
          guard response.entities != observedEntities else { return response }
          registration = store.hub.observe(response.entities, signal)
          observedEntities = response.entities
          // There may have been a commit between the read and the registration.
          if store.hub.version == version { return response }
        }
      }
    }
  }
}

extension Graph.StoredResponse where Root: GraphQL.ResponseRoot {
  fileprivate func isSame(as other: Self) -> Bool {
    guard missing == other.missing, errors == other.errors else { return false }
    guard let mine = data?._stored.json, let theirs = other.data?._stored.json else {
      return (data == nil) == (other.data == nil)
    }
    return mine.isSame(as: theirs)
  }
}
