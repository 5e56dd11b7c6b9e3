import GraphQLRuntime

extension Graph {
  /// The effect of one commit, or several together, on the entities of a store.
  public struct ChangeSet: Sendable, Hashable {
    /// Entities that are new.
    public internal(set) var inserted: Set<GraphQL.EntityKey> = []
    /// Entities with at least one changed value.
    public internal(set) var updated: Set<GraphQL.EntityKey> = []
    /// Entities that were deleted.
    public internal(set) var deleted: Set<GraphQL.EntityKey> = []
    /// Whether there are changes that are not listed here: another process has committed, or objects are
    /// expected to be deleted, so that other objects have lost their links to them.
    public internal(set) var hasUnknown = false

    /// Whether nothing changed.
    public var isEmpty: Bool {
      inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !hasUnknown
    }

    /// The commits of another process.
    static var unknown: ChangeSet {
      var changes = ChangeSet()
      changes.hasUnknown = true
      return changes
    }

    /// Adds the changes of a later commit.
    mutating func merge(_ later: ChangeSet) {
      hasUnknown = hasUnknown || later.hasUnknown
      for key in later.inserted {
        // An entity that was deleted and created again is a change for an observer.
        if deleted.remove(key) != nil { updated.insert(key) } else { inserted.insert(key) }
      }
      for key in later.updated where !inserted.contains(key) { updated.insert(key) }
      for key in later.deleted {
        updated.remove(key)
        if inserted.remove(key) == nil { deleted.insert(key) }
      }
    }
  }
}

/// The changes of one commit, as the writer records them: a set is only created when it is read.
struct CommittedChanges: Sendable {
  var inserted: [GraphQL.EntityKey] = []
  var updated: [GraphQL.EntityKey] = []
  var deleted: [GraphQL.EntityKey] = []
  /// Entities with another key: their observers observe the new key from now on.
  var renamed: [(from: GraphQL.EntityKey, to: GraphQL.EntityKey)] = []

  /// Entities whose observers read again, although the records may be the same.
  var touched: [GraphQL.EntityKey] = []
  /// Whether any record may have changed, so that all observers read again.
  var affectsAll = false

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && renamed.isEmpty && touched.isEmpty
      && !affectsAll
  }
}
