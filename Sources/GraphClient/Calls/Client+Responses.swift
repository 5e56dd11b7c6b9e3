import GraphQLRuntime

extension Graph.Client {
  /// The responses to a query that may have several: the cached one and the server's, or those of
  /// `@defer` and `@stream`. Nothing is sent before iteration begins.
  ///
  /// A query with `@defer` or `@stream` is sent once and its response is not stored.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own by default.
  ///   - timeout: the maximum time until the server's response, or the head of one in several
  ///     parts, has arrived. Between the parts, ``Graph/ClientConfiguration/incrementalTimeout``
  ///     applies.
  public func responses<Query: GraphQL.QueryBuilder>(
    to query: Query, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) -> Graph.ResponseStream<Query.Response> {
    Graph.ResponseStream(
      client: self,
      operation: Result { () throws(Graph.QueryError) in try operation(of: query) },
      policy: cachePolicy ?? self.cachePolicy, timeout: timeout)
  }
}
