import GraphJSON
import GraphQLRuntime

/// Notifies observers of commits, and of the changes that a client expects: of records that readers see
/// differently than before.
final class ExpectedChangePublisher: Sendable {
  private let committed: CommittedRecords
  private let hub: ObserverHub
  /// The records as of the last publication.
  private let last = Locked(ExpectedRecords())

  init(committed: CommittedRecords, hub: ObserverHub) {
    self.committed = committed
    self.hub = hub
  }

  /// The entities that an expected change affects.
  var keys: Set<GraphQL.EntityKey> { last.withLock { Set($0.entries.keys) } }

  /// Publishes a commit with the effects of expected changes that have begun or ended.
  func publish(_ commit: CommittedChanges = CommittedChanges()) {
    last.withLock { last in
      guard committed.isExpecting || !last.isEmpty else { return hub.publish(commit) }
      do {
        var changes = commit
        last = try committed.withSnapshot { snapshot throws(Graph.StoreError) in
          let now = snapshot.expected ?? ExpectedRecords()
          let keys = Set(last.entries.keys).union(now.entries.keys)
          let inserted = Set(commit.inserted)
          changes.remove(keys)
          for key in keys {
            changes.add(
              key, from: last[key], to: try snapshot.record(key),
              wasStored: now[key]?.isStored == true && !inserted.contains(key))
          }
          changes.affectsAll = commit.affectsAll || last.gone != now.gone
          return now
        }
        if !changes.isEmpty { hub.publish(changes) }
      } catch {
        // Each observer reads again, and gets the error.
        hub.publish(commit)
        hub.publishForeign()
      }
    }
  }
}

extension CommittedChanges {
  fileprivate mutating func remove(_ keys: Set<GraphQL.EntityKey>) {
    inserted.removeAll(where: keys.contains)
    updated.removeAll(where: keys.contains)
    deleted.removeAll(where: keys.contains)
  }

  /// Adds an entity that an expected change affects, or has affected.
  ///
  /// - Parameters:
  ///   - old: the entity as it was published last; nil if it was not affected then.
  ///   - new: its record as readers see it.
  ///   - wasStored: whether readers saw a record before, if it was not affected then.
  fileprivate mutating func add(
    _ key: GraphQL.EntityKey, from old: ExpectedRecords.Entry?, to new: JSONDocument?,
    wasStored: Bool
  ) {
    // The order of a list by a field may change although its record does not.
    touched.append(key)
    switch (old?.json, new) {
    case (let old?, let new?): if !old.isSame(as: new) { updated.append(key) }
    case (.some, nil): deleted.append(key)
    // Before, readers saw the stored record.
    case (nil, .some) where old == nil && wasStored: updated.append(key)
    case (nil, .some): inserted.append(key)
    case (nil, nil): if old == nil { deleted.append(key) }
    }
  }
}
