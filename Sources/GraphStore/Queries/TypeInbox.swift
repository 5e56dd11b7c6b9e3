import GraphQLRuntime

/// The changes of a type that its observer has not received yet, combined.
final class TypeInbox: Sendable {
  let signal = WakeSignal()
  private let pending = Locked(Graph.ChangeSet())

  func add(_ changes: Graph.ChangeSet) {
    pending.withLock { $0.merge(changes) }
    signal.raise()
  }

  func take() -> Graph.ChangeSet {
    pending.withLock { pending in
      defer { pending = Graph.ChangeSet() }
      return pending
    }
  }
}
