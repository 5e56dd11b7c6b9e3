import GraphQLRuntime

extension Graph.Client {
  /// Asks the server, or the cache or model manager as the policy says.
  ///
  /// The operation is made from the builder before anything else happens; what is done with the
  /// builder later does not reach it.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own unless stated.
  ///   - timeout: the longest time that the call may take, whatever it is doing: preparing the request,
  ///     waiting for an equal query, for the server's pause or before another attempt, sending. It takes
  ///     the place of ``Graph/ClientConfiguration/timeout``.
  /// - Throws: when there is no response. Errors that the server reports are part of a response. When
  ///   the time is up, ``Graph/TransportError`` with `timedOut` in a
  ///   ``Graph/QueryError/request(error:)``.
  nonisolated(nonsending) public func query<Query: GraphQL.QueryBuilder>(
    _ query: Query, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Query.Response> {
    try await fetch(
      operation(of: query), policy: cachePolicy ?? self.cachePolicy, timeout: timeout)
  }

  /// Changes something on the server. The answer never becomes that of a query; its objects go to the
  /// model manager.
  ///
  /// - Parameters:
  ///   - idempotencyKey: sent as `Idempotency-Key`. With it, and only with it, a mutation whose fate is
  ///     unknown is sent again: the server must then answer the second like the first.
  ///   - timeout: the longest time that the call may take, as for a query. Of a call whose time is up,
  ///     ``Graph/TransportError/bytesSent`` says whether the mutation may have been carried out.
  /// - Throws: when there is no response. Errors that the server reports are part of a response.
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

  /// Sends an operation past the cache.
  func perform<Root>(
    _ operation: GraphQL.Operation<Root>, idempotencyKey: String?, timeout: Duration?
  ) async throws(Graph.QueryError) -> Graph.Response<Root> {
    do {
      // Before the token is asked for: whoever logs in after that must not be given the answer.
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
