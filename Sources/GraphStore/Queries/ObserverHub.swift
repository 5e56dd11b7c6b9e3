import GraphQLRuntime

/// Keeps the observers, and notifies them of each commit.
///
/// A commit costs in proportion to its changes and their observers; observers of other objects cost
/// nothing.
final class ObserverHub: Sendable {
  private struct State {
    var nextID: UInt64 = 0
    var byKey: [GraphQL.EntityKey: [UInt64: WakeSignal]] = [:]
    var byType: [String: [UInt64: TypeInbox]] = [:]
    /// The current keys of entities that are observed under another one.
    var names: [GraphQL.EntityKey: GraphQL.EntityKey] = [:]
    /// Grows with each commit that changed anything.
    var version: UInt64 = 0

    func name(of key: GraphQL.EntityKey) -> GraphQL.EntityKey { names[key] ?? key }

    /// All observers read again.
    func wakeAll() {
      for signals in byKey.values {
        for signal in signals.values { signal.raise() }
      }
      for inboxes in byType.values {
        for inbox in inboxes.values { inbox.add(.unknown) }
      }
    }

    /// Observers of an entity stay with it when it gets another key.
    mutating func rename(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) {
      names[old] = new
      let signals = byKey.removeValue(forKey: old) ?? [:]
      if signals.isEmpty { return }
      byKey[new, default: [:]].merge(signals) { mine, _ in mine }
      for signal in signals.values { signal.raise() }
    }
  }

  private let state = Locked(State())

  var version: UInt64 { state.withLock { $0.version } }

  /// The current key of an entity.
  func name(of key: GraphQL.EntityKey) -> GraphQL.EntityKey {
    state.withLock { $0.name(of: key) }
  }

  /// The observed entities.
  var observedKeys: Set<GraphQL.EntityKey> { state.withLock { Set($0.byKey.keys) } }

  func publish(_ changes: CommittedChanges) {
    state.withLock { state in
      state.version += 1
      for (old, new) in changes.renamed { state.rename(old, to: new) }
      if !state.byKey.isEmpty {
        for key in changes.updated {
          for signal in (state.byKey[key] ?? [:]).values { signal.raise(byUpdateOf: key) }
        }
        for keys in [changes.inserted, changes.deleted, changes.touched] {
          for key in keys {
            guard let signals = state.byKey[key] else { continue }
            for signal in signals.values { signal.raise() }
          }
        }
      }
      if changes.affectsAll { state.wakeAll() }
      guard !state.byType.isEmpty else { return }
      for (name, part) in changes.sets(ofTypes: state.byType.keys) {
        for inbox in state.byType[name, default: [:]].values { inbox.add(part) }
      }
    }
  }

  /// Another process has committed: all observers read again.
  func publishForeign() {
    state.withLock { state in
      state.version += 1
      state.wakeAll()
    }
  }

  /// Raises `signal` when one of the entities changes, until the registration is released.
  func observe(_ keys: Set<GraphQL.EntityKey>, _ signal: WakeSignal) -> Registration {
    let id = state.withLock { state in
      state.nextID += 1
      for key in keys { state.byKey[state.name(of: key), default: [:]][state.nextID] = signal }
      return state.nextID
    }
    return Registration { [self] in
      state.withLock { state in
        for key in keys {
          let key = state.name(of: key)
          state.byKey[key]?[id] = nil
          if state.byKey[key]?.isEmpty == true { state.byKey[key] = nil }
        }
      }
    }
  }

  /// Collects the changes to entities of a type in `inbox`, until the registration is released.
  func observe(type name: String, _ inbox: TypeInbox) -> Registration {
    let id = state.withLock { state in
      state.nextID += 1
      state.byType[name, default: [:]][state.nextID] = inbox
      return state.nextID
    }
    return Registration { [self] in
      state.withLock { state in
        state.byType[name]?[id] = nil
        if state.byType[name]?.isEmpty == true { state.byType[name] = nil }
      }
    }
  }
}

extension CommittedChanges {
  /// The changes of those of some types that have any.
  fileprivate func sets(ofTypes names: some Collection<String>) -> [String: Graph.ChangeSet] {
    let names = Set(names)
    var sets: [String: Graph.ChangeSet] = [:]
    for key in inserted where names.contains(key.typeName) {
      sets[key.typeName, default: Graph.ChangeSet()].inserted.insert(key)
    }
    for key in updated where names.contains(key.typeName) {
      sets[key.typeName, default: Graph.ChangeSet()].updated.insert(key)
    }
    for key in deleted where names.contains(key.typeName) {
      sets[key.typeName, default: Graph.ChangeSet()].deleted.insert(key)
    }
    return sets
  }
}

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
