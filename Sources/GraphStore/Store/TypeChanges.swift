import GraphQLRuntime

extension Graph {
  /// The changes to the objects of one type since the sequence was created: keys of objects that were
  /// inserted, updated and deleted.
  ///
  /// Changes that the observer has not received yet are combined. The sequence is for one iteration;
  /// it ends when its task is cancelled.
  public struct TypeChanges: AsyncSequence, Sendable {
    public typealias Element = ChangeSet

    private let inbox = TypeInbox()
    private let registration: Registration

    init(hub: ObserverHub, typeName: String) {
      registration = hub.observe(type: typeName, inbox)
    }

    public func makeAsyncIterator() -> Iterator {
      Iterator(inbox: inbox, registration: registration)
    }

    /// Yields the changes since the last element.
    public struct Iterator: AsyncIteratorProtocol {
      let inbox: TypeInbox
      let registration: Registration

      public mutating func next() async -> ChangeSet? {
        while await inbox.signal.wait() {
          let changes = inbox.take()
          if !changes.isEmpty { return changes }
        }
        return nil
      }
    }
  }
}
