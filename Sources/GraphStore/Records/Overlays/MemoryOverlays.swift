import GraphQLRuntime

/// The overlays of entities that are kept in memory.
struct MemoryOverlays: Sendable {
  private(set) var byKey: [GraphQL.EntityKey: Overlay] = [:]
  /// The entities that each operation changes.
  private(set) var byChange: [Int64: Set<GraphQL.EntityKey>] = [:]

  subscript(key: GraphQL.EntityKey) -> Overlay? {
    get { byKey[key] }
    set {
      for patch in byKey[key]?.patches ?? [] { forget(patch.change, key) }
      byKey[key] = newValue
      for patch in newValue?.patches ?? [] { byChange[patch.change, default: []].insert(key) }
    }
  }

  private mutating func forget(_ change: Int64, _ key: GraphQL.EntityKey) {
    byChange[change]?.remove(key)
    if byChange[change]?.isEmpty == true { byChange[change] = nil }
  }
}
