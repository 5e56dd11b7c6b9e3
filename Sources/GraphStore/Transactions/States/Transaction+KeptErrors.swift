import GraphJSON
import GraphQLRuntime

extension Graph.Transaction {
  var fieldErrors: FieldErrors {
    get throws(Graph.StoreError) {
      var errors = memory.errors
      if let connection { errors.merge(try connection.fieldErrors()) }
      return errors
    }
  }

  /// Replaces the errors of entities, whose observers read again.
  func write(
    _ changed: [(key: GraphQL.EntityKey, errors: [FieldErrors.Path: FieldErrors.Entry])]
  ) throws(Graph.StoreError) {
    for (key, errors) in changed {
      touched.append(key)
      guard let (_, connection) = fileAndConnection(for: key.typeName) else {
        memory.errors[key] = errors
        continue
      }
      let kept = errors.filter { path, _ in isMemoryOnly(path, of: key) }
      memory.errors[key] = kept
      try connection.write(errors.filter { kept[$0.key] == nil }, of: key)
    }
  }

  /// Whether an error is kept in memory: the arguments of a field that leads to an entity in memory
  /// may contain its key.
  func isMemoryOnly(_ path: FieldErrors.Path, of key: GraphQL.EntityKey) -> Bool {
    path.first.map {
      policies.leadsToTransient(GraphQL.StorageKey.fieldName($0.text), of: key.typeName)
    } ?? false
  }
}
