import GraphQLRuntime

/// What a write did to each entity that it met, in the order of the first meeting.
struct Outcome {
  enum Effect: Int {
    case unchanged, updated, inserted
  }

  private var effects: [GraphQL.EntityKey: Effect] = [:]
  private var order: [GraphQL.EntityKey] = []
  var roots: [GraphQL.EntityKey] = []
  var deleted: [GraphQL.EntityKey] = []
  /// Entities that a list or field refers to no more, and that are to go with it.
  var dropped: [GraphQL.EntityKey] = []

  /// An entity may be met several times: what counts is the most that happened to it.
  mutating func note(_ key: GraphQL.EntityKey, _ effect: Effect) {
    guard let known = effects[key] else {
      effects[key] = effect
      order.append(key)
      return
    }
    if effect.rawValue > known.rawValue { effects[key] = effect }
  }

  /// Whether the write met the entity.
  func contains(_ key: GraphQL.EntityKey) -> Bool { effects[key] != nil }

  var record: GraphQL.Record {
    var record = GraphQL.Record()
    for key in order {
      switch effects[key] {
      case .inserted: record.inserted.append(key)
      case .updated: record.updated.append(key)
      case .unchanged, nil: record.unchanged.append(key)
      }
    }
    record.roots = roots
    record.deleted = deleted
    return record
  }
}
