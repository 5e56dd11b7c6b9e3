import GraphQLRuntime

/// The effect of a write on each of its entities, in the order of their first occurrence.
struct WriteOutcome {
  enum Effect: Int {
    case unchanged, updated, inserted
  }

  /// The number of the write.
  let write: Int
  private var order: [EntityState] = []
  /// The number of states with each effect.
  private var counts = (unchanged: 0, updated: 0, inserted: 0)
  /// Entities to which a list or field no longer refers, and that are to be deleted.
  var dropped: [GraphQL.EntityKey] = []
  /// Entities that have relations with an inverse, and the records that they had.
  var related: [(state: EntityState, old: RecordText?)] = []
  private var relatedStates: Set<ObjectIdentifier> = []

  init(write: Int) { self.write = write }

  /// An entity may occur several times: the strongest effect counts.
  mutating func note(_ state: EntityState, _ effect: Effect) {
    if state.write != write {
      state.write = write
      state.effect = effect
      count(effect, 1)
      order.append(state)
    } else if effect.rawValue > state.effect.rawValue {
      count(state.effect, -1)
      state.effect = effect
      count(effect, 1)
    }
  }

  private mutating func count(_ effect: Effect, _ step: Int) {
    switch effect {
    case .unchanged: counts.unchanged += step
    case .updated: counts.updated += step
    case .inserted: counts.inserted += step
    }
  }

  /// Records the state of an entity before its first change.
  mutating func noteRelated(_ state: EntityState, old: RecordText?) {
    if relatedStates.insert(ObjectIdentifier(state)).inserted { related.append((state, old)) }
  }

  var summary: Graph.WriteSummary {
    var summary = Graph.WriteSummary()
    summary.inserted.reserveCapacity(counts.inserted)
    summary.updated.reserveCapacity(counts.updated)
    summary.unchanged.reserveCapacity(counts.unchanged)
    for state in order {
      switch state.effect {
      case .inserted: summary.inserted.append(state.key)
      case .updated: summary.updated.append(state.key)
      case .unchanged: summary.unchanged.append(state.key)
      }
    }
    return summary
  }

  /// The states of the entities that arrived unchanged.
  var unchanged: [EntityState] {
    counts.unchanged == 0 ? [] : order.filter { $0.effect == .unchanged }
  }
}

extension Graph {
  /// The result of a write: the keys of the objects that it contained, in that order.
  public struct WriteSummary: Sendable, Hashable {
    /// Objects that are new.
    public var inserted: [GraphQL.EntityKey] = []
    /// Objects with at least one changed value.
    public var updated: [GraphQL.EntityKey] = []
    /// Objects that existed with the same values.
    public var unchanged: [GraphQL.EntityKey] = []
    /// Objects that were deleted.
    public var deleted: [GraphQL.EntityKey] = []
    /// The keys of the top-level objects of the write, in its order.
    public var roots: [GraphQL.EntityKey] = []

    /// A summary of no objects.
    public init() {}

    /// Whether nothing was written.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }
}
