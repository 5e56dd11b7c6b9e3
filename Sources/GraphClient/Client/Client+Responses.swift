import GraphQLRuntime

extension Graph.Client {
  /// The answers to a query that may have several: the stored one and the server's, or those of
  /// `@defer` and `@stream`. Nothing is sent before iteration begins.
  ///
  /// A query with `@defer` or `@stream` is sent once and its answer is not stored.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own unless stated.
  ///   - timeout: the longest time until the server's answer, or the head of one in several parts, is
  ///     there. Between the parts ``Graph/ClientConfiguration/incrementalTimeout`` holds.
  public func responses<Query: GraphQL.QueryBuilder>(
    to query: Query, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) -> Graph.ResponseStream<Query.Response> {
    Graph.ResponseStream(
      client: self,
      operation: Result { () throws(Graph.QueryError) in try operation(of: query) },
      policy: cachePolicy ?? self.cachePolicy, timeout: timeout)
  }
}
