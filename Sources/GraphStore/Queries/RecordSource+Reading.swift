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
    guard reader.missing.isEmpty else {
      return Graph.StoredResponse(
        data: nil, missing: reader.missing, errors: reader.errors,
        entities: reader.visited)
    }
    do {
      let response = try operation.response(from: reader.bytes)
      return Graph.StoredResponse(
        data: response.data, missing: [], errors: reader.errors, entities: reader.visited)
    } catch {
      // Every value was checked before, so this is a bug of the store.
      throw Graph.StoreError(
        .corrupt, "the stored response does not match the query: \(error)", cause: error)
    }
  }
}
