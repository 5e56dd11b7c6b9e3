import GraphQLRuntime

/// The changes of one commit, as the writer records them: a set is only created when it is read.
struct CommittedChanges: Sendable {
  var inserted: [GraphQL.EntityKey] = []
  var updated: [GraphQL.EntityKey] = []
  var deleted: [GraphQL.EntityKey] = []
  /// Entities with another key: their observers observe the new key from now on.
  var renamed: [(from: GraphQL.EntityKey, to: GraphQL.EntityKey)] = []

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && renamed.isEmpty
  }
}
