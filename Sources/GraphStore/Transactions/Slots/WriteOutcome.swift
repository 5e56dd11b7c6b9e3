import GraphQLRuntime

/// The effect of a write on each of its entities, in the order of their first occurrence.
struct WriteOutcome {
  enum Effect: Int {
    case unchanged, updated, inserted
  }

  /// The number of the write.
  let write: Int
  private var order: [Slot] = []
  /// The number of slots with each effect.
  private var counts = (unchanged: 0, updated: 0, inserted: 0)
  /// Entities to which a list or field no longer refers, and that are to be deleted.
  var dropped: [GraphQL.EntityKey] = []
  /// Entities that have relations with an inverse, and the records that they had.
  var related: [(slot: Slot, old: RecordText?)] = []
  private var relatedSlots: Set<ObjectIdentifier> = []

  init(write: Int) { self.write = write }

  /// An entity may occur several times: the strongest effect counts.
  mutating func note(_ slot: Slot, _ effect: Effect) {
    if slot.write != write {
      slot.write = write
      slot.effect = effect
      count(effect, 1)
      order.append(slot)
    } else if effect.rawValue > slot.effect.rawValue {
      count(slot.effect, -1)
      slot.effect = effect
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
  mutating func noteRelated(_ slot: Slot, old: RecordText?) {
    if relatedSlots.insert(ObjectIdentifier(slot)).inserted { related.append((slot, old)) }
  }

  var record: Graph.WriteSummary {
    var record = Graph.WriteSummary()
    record.inserted.reserveCapacity(counts.inserted)
    record.updated.reserveCapacity(counts.updated)
    record.unchanged.reserveCapacity(counts.unchanged)
    for slot in order {
      switch slot.effect {
      case .inserted: record.inserted.append(slot.key)
      case .updated: record.updated.append(slot.key)
      case .unchanged: record.unchanged.append(slot.key)
      }
    }
    return record
  }

  /// The slots of the entities that arrived unchanged.
  var unchanged: [Slot] { counts.unchanged == 0 ? [] : order.filter { $0.effect == .unchanged } }
}
