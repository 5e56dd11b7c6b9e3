import GraphQLRuntime

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
