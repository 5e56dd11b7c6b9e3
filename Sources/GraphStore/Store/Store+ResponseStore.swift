import GraphQLRuntime

extension Graph.Store: GraphQL.ResponseStore {
  /// Stores the objects of a response; ``write(_:of:in:)`` also returns their keys.
  ///
  /// - Throws: `GraphQL.StaleGeneration`, ``StoreError``; nothing was written then.
  public func store<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>,
    in generation: GraphQL.StoreGeneration?
  ) async throws {
    try await write(response, of: operation, in: generation)
  }

  /// The store's response to a query; nil if any of it is missing, or older than its type's
  /// ``TypePolicy/maximumAge`` or `maximumAge`. ``ObjectReading/read(_:)`` lists the missing parts.
  public func response<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.StoredResponse<Root>? {
    try committed.withSnapshot { snapshot throws(Graph.StoreError) in
      let stored = try snapshot.read(operation)
      guard let data = stored.data,
        let age = try snapshot.age(of: stored.entities, maximumAge: maximumAge)
      else { return nil }
      return GraphQL.StoredResponse(data: data, age: age, errors: stored.errors)
    }
  }
}
