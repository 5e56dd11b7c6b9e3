import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Keeps the errors of a response with their fields, and deletes those of fields that arrived. A
  /// response without errors costs one check of a table that is nearly always empty.
  func keepErrors<Root>(
    of response: GraphQL.Response<Root>, at root: Int, in json: JSONDocument,
    _ plan: GraphQL.StoragePlan, _ arrived: GraphQL.ArrivedValues?, isQuery: Bool
  ) throws(Graph.StoreError) {
    let known = try fieldErrors
    guard !response.errors.isEmpty || !known.isEmpty else { return }
    var walk = FieldErrorWalk(
      json: json, errors: response.errors, data: root, known: known, arrived: arrived)
    walk.object(
      root, plan, in: isQuery ? GraphQL.EntityKey(typeName: plan.typeName, key: "") : nil, path: [])
    try write(walk.changed)
  }

  /// Deletes the errors of deleted entities.
  func forgetErrorsOfDeleted() throws(Graph.StoreError) {
    // The text is equivalent to the parsed record, and is already available.
    var gone: [GraphQL.EntityKey] = []
    for state in changed where state.record == nil { gone.append(state.key) }
    guard !gone.isEmpty else { return }
    let known = try fieldErrors
    guard !known.isEmpty else { return }
    try write(gone.filter { !known[$0].isEmpty }.map { ($0, [:]) })
  }

  /// Deletes a user's errors in memory.
  func forgetErrorsForLogout() {
    var kept = FieldErrors()
    for (key, errors) in memory.errors.entries {
      kept[key] = errors.filter { path, _ in staysAtLogout(path, of: key) }
    }
    memory.errors = kept
  }

  /// Deletes a user's errors in the file. They may belong to objects that are not stored otherwise,
  /// and an earlier version of the program may have written them, when a type had another policy.
  func deleteErrorsForLogout() throws(Graph.StoreError) {
    guard let connection else { return }
    let rows = try connection.rows("SELECT entity, field FROM field_error", []) {
      ($0.text(0), $0.text(1))
    }
    for (entity, field) in rows {
      if let key = GraphQL.EntityKey(entity), let path = FieldErrors.path(field),
        staysAtLogout(path, of: key)
      {
        continue
      }
      try connection.execute(
        "DELETE FROM field_error WHERE entity = ?1 AND field = ?2", [.text(entity), .text(field)])
    }
  }

  private func staysAtLogout(_ path: FieldErrors.Path, of key: GraphQL.EntityKey) -> Bool {
    !key.key.isEmpty && policies.policy(ofType: key.typeName).persistence == .persistent
      && planner.plan(ofType: GraphQL.EntityKey.policyTypeName(key.typeName)) != nil
      && !policies.isDeletedAtLogout(key.typeName)
      && path.first.map {
        !policies.leadsToUser(GraphQL.StorageKey.fieldName($0.text), of: key.typeName)
      } ?? true
  }
}
