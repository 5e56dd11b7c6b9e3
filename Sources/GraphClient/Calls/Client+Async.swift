import GraphQLRuntime

extension Graph.Client {
  /// Gets the response to a query from the server, the cache or the model manager, depending on the
  /// policy.
  ///
  /// The operation is created from the builder first; later changes to the builder do not affect
  /// it.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own by default.
  ///   - timeout: the maximum duration of the whole call: preparing the request, waiting for an
  ///     equal query, for the server's pause or before another attempt, sending. It replaces
  ///     ``Graph/ClientConfiguration/timeout``.
  /// - Throws: if there is no response. Errors that the server reports are part of a response.
  ///   After a timeout, ``Graph/TransportError`` with `timedOut` in a
  ///   ``Graph/QueryError/request(error:)``.
  nonisolated(nonsending) public func query<Query: GraphQL.QueryBuilder>(
    _ query: Query, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Query.Response> {
    try await fetch(
      operation(of: query), policy: cachePolicy ?? self.cachePolicy, timeout: timeout)
  }

  /// Sends a mutation. Its response is never used for a query; its objects are passed to the model
  /// manager.
  ///
  /// - Parameters:
  ///   - idempotencyKey: sent as `Idempotency-Key`. Only with a key is a mutation with an unknown
  ///     outcome retried; the server must then respond to the second request as to the first.
  ///   - timeout: the maximum duration of the call, as for a query. After a timeout,
  ///     ``Graph/TransportError/bytesSent`` states whether the mutation may have been carried out.
  /// - Throws: if there is no response. Errors that the server reports are part of a response.
  nonisolated(nonsending) public func mutate<Mutation: GraphQL.MutationBuilder>(
    _ mutation: Mutation, idempotencyKey: String? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Mutation.Response> {
    try await perform(
      operation(of: mutation), idempotencyKey: idempotencyKey, timeout: timeout)
  }

  func operation<Builder: GraphQL.OperationBuilder>(
    of builder: Builder
  ) throws(Graph.QueryError) -> GraphQL.Operation<Builder.Response> {
    do { return try builder.operation() } catch { throw Graph.QueryError(error) }
  }

  /// Sends an operation without the cache.
  func perform<Root>(
    _ operation: GraphQL.Operation<Root>, idempotencyKey: String?, timeout: Duration?
  ) async throws(Graph.QueryError) -> Graph.Response<Root> {
    do {
      // Read before the token is requested: a user who logs in after that must not get the
      // response.
      let generation = models?.generation
      let request = try await prepare(
        Graph.OperationRequest(
          operation, timeout: configuration.attemptTimeout, deadline: deadline(timeout),
          idempotencyKey: idempotencyKey))
      let content = try await pipeline.response(to: request).content
      return Graph.Response(await kept(content, in: generation), source: .network)
    } catch {
      throw Graph.QueryError(error)
    }
  }
}
