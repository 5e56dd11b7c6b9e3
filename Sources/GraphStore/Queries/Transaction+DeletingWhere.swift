import GraphQLRuntime

extension Graph.Transaction {
  /// Deletes the objects of a type that satisfy a condition; see ``delete(_:key:)``.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  @discardableResult
  public func delete<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: (Object) -> Bool
  ) throws(Graph.StoreError) -> [GraphQL.EntityKey] {
    try checkOpen()
    let typeName = try policies.typeName(of: type)
    var keys: [GraphQL.EntityKey] = []
    try forEachRecord(ofType: typeName) { key, json throws(Graph.StoreError) in
      if condition(_reader.object(json)) {
        keys.append(GraphQL.EntityKey(typeName: typeName, key: key))
      }
      return true
    }
    return try delete(keys)
  }
}
