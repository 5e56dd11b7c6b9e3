import GraphQLRuntime

extension Graph.Store: GraphQL.ObservableResponseStore {
  public func currentResponse<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.StoredResponse<Root>? {
    try response(to: operation, maximumAge: maximumAge)
  }

  public func observeResponse<Root>(
    to operation: GraphQL.Operation<Root>,
    onChange:
      @escaping @MainActor @Sendable (
        Result<GraphQL.StoredResponse<Root>?, any Error>
      ) -> Void
  ) -> any Sendable {
    var states = states(of: operation)
    states.repeatsMissing = true
    return Graph.ObservationToken(states, { onChange(.failure($0)) }) { response in
      onChange(
        .success(
          response.data.map {
            GraphQL.StoredResponse(data: $0, age: nil, errors: response.errors)
          }))
    }
  }
}
