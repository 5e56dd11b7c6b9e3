import GraphQLRuntime

/// What one commit, or several together, did to the entities of a store.
public struct ChangeSet: Sendable, Hashable {
  /// Entities that were not there before.
  public internal(set) var inserted: Set<GraphQL.EntityKey> = []
  /// Entities of which a value changed.
  public internal(set) var updated: Set<GraphQL.EntityKey> = []
  /// Entities that are gone.
  public internal(set) var deleted: Set<GraphQL.EntityKey> = []
  /// Whether another process has committed as well: what it changed is not listed here.
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
      // Deleted and made again is a change of what an observer knows.
      if deleted.remove(key) != nil { updated.insert(key) } else { inserted.insert(key) }
    }
    for key in later.updated where !inserted.contains(key) { updated.insert(key) }
    for key in later.deleted {
      updated.remove(key)
      if inserted.remove(key) == nil { deleted.insert(key) }
    }
  }
}

/// What one commit changed, as the writer notes it: a set of it is only made for who looks at one.
struct CommittedChanges: Sendable {
  var inserted: [GraphQL.EntityKey] = []
  var updated: [GraphQL.EntityKey] = []
  var deleted: [GraphQL.EntityKey] = []
  /// Entities that have got another key: those that watch one watch the other from now on.
  var renamed: [(from: GraphQL.EntityKey, to: GraphQL.EntityKey)] = []

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && renamed.isEmpty
  }
}
