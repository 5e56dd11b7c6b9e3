import GraphQLRuntime

/// What happens to the objects of one type from the moment on at which the sequence was made: keys of
/// objects that were inserted, updated and deleted.
///
/// Changes that the observer has not seen yet come as one. It is for one iteration; it ends when its
/// task is cancelled.
public struct TypeChanges: AsyncSequence, Sendable {
  public typealias Element = ChangeSet

  private let inbox = TypeInbox()
  private let registration: Registration

  init(hub: ObserverHub, typeName: String) {
    registration = hub.watch(type: typeName, inbox)
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(inbox: inbox, registration: registration)
  }

  /// Yields what changed since the last element.
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
