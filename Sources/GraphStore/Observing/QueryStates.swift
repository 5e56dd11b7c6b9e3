import GraphJSON
import GraphQLRuntime

/// The answers to a query as the store has them: the one of now, then one after each change of an
/// object that it depends on, one that is missing included.
///
/// A slow observer gets the newest answer and none of those between. The sequence ends when its task
/// is cancelled.
public struct QueryStates<Root: GraphQL.AbstractResponse>: AsyncSequence, Sendable {
  public typealias Element = StoredResponse<Root>

  let store: Store
  let operation: GraphQL.Operation<Root>

  public func makeAsyncIterator() -> Iterator { Iterator(store: store, operation: operation) }

  /// Yields the answer when it begins, and again after each change.
  public struct Iterator: AsyncIteratorProtocol {
    private let store: Store
    private let operation: GraphQL.Operation<Root>
    private let signal = Signal()
    private var registration: Registration?
    private var watched: Set<GraphQL.EntityKey> = []
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

    /// Reads the answer and watches what it depends on.
    private mutating func read() throws -> StoredResponse<Root> {
      while true {
        let version = store.hub.version
        let response = try store.read(operation)
        guard response.entities != watched else { return response }
        registration = store.hub.watch(response.entities, signal)
        watched = response.entities
        // A commit may have come between the reading and the watching.
        if store.hub.version == version { return response }
      }
    }
  }
}

extension StoredResponse {
  fileprivate func isSame(as other: StoredResponse) -> Bool {
    guard missing == other.missing, errors == other.errors else { return false }
    guard let mine = data?._stored.json, let theirs = other.data?._stored.json else {
      return (data == nil) == (other.data == nil)
    }
    return mine.isSame(as: theirs)
  }
}
