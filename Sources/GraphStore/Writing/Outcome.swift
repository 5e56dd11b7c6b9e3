import GraphQLRuntime

/// What a write did to each entity that it met, in the order of the first meeting.
struct Outcome {
  enum Effect: Int {
    case unchanged, updated, inserted
  }

  /// The number of the write.
  let write: Int
  private var order: [Slot] = []
  /// Entities that a list or field refers to no more, and that are to go with it.
  var dropped: [GraphQL.EntityKey] = []
  /// Entities that have relations with an inverse, and the records that they had.
  private(set) var related: [(slot: Slot, old: RecordText?)] = []
  private var relatedSlots: Set<ObjectIdentifier> = []

  init(write: Int) { self.write = write }

  /// An entity may be met several times: what counts is the most that happened to it.
  mutating func note(_ slot: Slot, _ effect: Effect) {
    if slot.write != write {
      slot.write = write
      slot.effect = effect
      order.append(slot)
    } else if effect.rawValue > slot.effect.rawValue {
      slot.effect = effect
    }
  }

  /// Remembers what an entity was before its first change.
  mutating func noteRelated(_ slot: Slot, old: RecordText?) {
    if relatedSlots.insert(ObjectIdentifier(slot)).inserted { related.append((slot, old)) }
  }

  /// Makes the other ends of relations agree with what was written.
  mutating func updateInverses(in transaction: Transaction) throws(StoreError) {
    for (slot, old) in related {
      for other in try transaction.updateInverses(of: slot, from: old) { note(other, .updated) }
    }
    related = []
  }

  var record: GraphQL.Record {
    var record = GraphQL.Record()
    record.inserted.reserveCapacity(count(.inserted))
    record.updated.reserveCapacity(count(.updated))
    record.unchanged.reserveCapacity(count(.unchanged))
    for slot in order {
      switch slot.effect {
      case .inserted: record.inserted.append(slot.key)
      case .updated: record.updated.append(slot.key)
      case .unchanged: record.unchanged.append(slot.key)
      }
    }
    return record
  }

  private func count(_ effect: Effect) -> Int {
    var count = 0
    for slot in order where slot.effect == effect { count += 1 }
    return count
  }
}
