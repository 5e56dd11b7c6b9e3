import GraphQLRuntime

// Only for the compiler's messages: otherwise a root of the wrong kind would be reported as a
// missing conformance.
extension Graph.Client {
  @available(*, unavailable, message: "a mutation is sent with mutate(_:)")
  public func query<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Mutation.Response> {
    fatalError("unavailable")
  }

  @available(*, unavailable, message: "a subscription is followed with subscribe(_:)")
  public func query<Subscription: GraphQL.SubscriptionBuilder>(
    _ subscription: Subscription, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Subscription.Response> {
    fatalError("unavailable")
  }

  @available(*, unavailable, message: "a query is sent with query(_:)")
  public func mutate<Query: GraphQL.QueryBuilder>(
    _ query: Query, idempotencyKey: String? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Query.Response> {
    fatalError("unavailable")
  }
}
