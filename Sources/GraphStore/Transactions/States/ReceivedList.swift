import GraphQLRuntime

/// A field of an object that a response contains.
struct ReceivedList: Hashable {
  let owner: GraphQL.EntityKey
  let storageKey: String
}

extension Set<ReceivedList> {
  /// Whether a response contains one of the fields.
  func contains(_ list: Graph.StoredList) -> Bool {
    contains { $0.owner == list.owner && list.includes($0.storageKey) }
  }
}
