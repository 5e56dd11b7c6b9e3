import GraphJSON
import GraphQLRuntime
import GraphStorage

extension RecordSource {
  func read<Root>(
    _ operation: GraphQL.Operation<Root>
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Root> {
    let planner = policies.makePlanner()
    guard operation._isQuery, let plan = planner.plan(of: operation) else {
      throw Graph.StoreError(
        .wrongSchema, "only a query of \(schema.name) can be read from the store")
    }
    var reader = try QueryReader(source: self)
    reader.append("{\"data\":")
    try reader.entity(GraphQL.EntityKey(typeName: plan.typeName, key: ""), plan)
    reader.append("}")
    extendLifetime(planner)
    return try response(reader) { try operation.response(from: $0, $1).data }
  }

  /// Reads the object with a key as a fragment.
  func read<Fragment: GraphQL.TypedFragment>(
    _ type: Fragment.Type, _ key: GraphQL.EntityKey, _ fragment: GraphQL.FragmentReader
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Fragment> {
    let planner = policies.makePlanner()
    guard let plan = planner.plan(fragment.selectionSet, ofType: key.typeName) else {
      throw Graph.StoreError(.notAnEntity, "\(schema.name) has no type \(key.typeName)")
    }
    var reader = try QueryReader(source: self)
    try reader.entity(key, plan)
    // The plan does not own its planner.
    extendLifetime(planner)
    return try response(reader) { try fragment.read(type, from: $0, typeName: key.typeName, $1) }
  }

  private func response<Value>(
    _ reader: QueryReader, _ read: ([UInt8], GraphQL.ResponseContext) throws -> Value?
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Value> {
    do {
      return Graph.StoredResponse(
        data: reader.missing.isEmpty
          ? try read(reader.bytes, GraphQL.ResponseContext(errors: reader.errors)) : nil,
        missing: reader.missing, errors: reader.errors, entities: reader.visited,
        shapes: reader.shapes.compactMapValues { $0 })
    } catch {
      // Every value was checked before, so this is a bug of the store.
      throw Graph.StoreError(
        .corrupt, "the stored response does not match the query: \(error)", cause: error)
    }
  }
}
