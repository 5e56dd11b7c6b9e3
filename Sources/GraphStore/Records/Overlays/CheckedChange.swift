import GraphQLRuntime

/// A change whose parts fit the schema, split by objects.
struct CheckedChange: Sendable {
  enum Step: Sendable {
    /// Fields of an object change.
    case fields(GraphQL.EntityKey, OverlayPatch.Step)
    case delete(GraphQL.EntityKey)
    case edit(ListEdit, Graph.StoredList, isConnection: Bool)
  }

  var steps: [Step] = []
}

/// The changes that a client expects, which are in no file. They are on top of everything that is stored.
struct ExpectedChanges: Sendable {
  private(set) var list: [(id: UInt64, change: CheckedChange)] = []
  private var last: UInt64 = 0

  var isEmpty: Bool { list.isEmpty }

  mutating func add(_ change: CheckedChange) -> UInt64 {
    last += 1
    list.append((last, change))
    return last
  }

  mutating func remove(_ id: UInt64) { list.removeAll { $0.id == id } }

  mutating func removeAll() { list = [] }
}
