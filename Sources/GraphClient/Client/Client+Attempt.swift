import GraphQLRuntime

extension Graph {
  /// The result of sending an operation once.
  package struct Attempt: Sendable {
    package let result: Result<Response<GraphQL.AbstractResponse>, QueryError>
    /// Whether a request was created at all: false if a header provider or an interceptor failed,
    /// or took too long, before that.
    package let wasPrepared: Bool
    /// The wait that the server requests.
    package let delay: Duration?
  }
}

extension Graph.Client {
  /// The pause that the host has requested from all clients of the process; nil if there is none. A
  /// request would be delayed until its end.
  package var pause: Duration? { pipeline.pause }

  /// Sends an operation once, for a caller with its own retry rules. The response is not passed to
  /// the store.
  ///
  /// - Parameters:
  ///   - headers: in addition to the client's own.
  ///   - timeout: the maximum duration, including preparation.
  ///   - isCurrent: called once the request has its token. If it returns false, another user may
  ///     have logged in, and nothing is sent.
  nonisolated(nonsending) package func attempt(
    _ operation: GraphQL.Operation<GraphQL.AbstractResponse>, headers: Graph.Headers = [:],
    timeout: Duration? = nil, isCurrent: @Sendable () -> Bool = { true }
  ) async -> Graph.Attempt {
    let observation = observation(of: operation)
    let request: Graph.OperationRequest
    do {
      request = try await prepare(
        Graph.OperationRequest(
          operation, headers: headers, timeout: configuration.attemptTimeout,
          deadline: deadline(timeout), observation: observation))
      guard isCurrent() else { throw Graph.QueryError.cancelled }
    } catch {
      let error = Graph.QueryError(error)
      observation?.end(.failed(error))
      return Graph.Attempt(result: .failure(error), wasPrepared: false, delay: nil)
    }
    let result: Result<Graph.OperationResponse, Graph.QueryError>
    do {
      result = .success(try await pipeline.response(to: request, repeats: false))
    } catch {
      result = .failure(Graph.QueryError(error, of: request))
    }
    var delay: Duration?
    if case .after(let requested) = Graph.RetryDecision(result, now: time.now) { delay = requested }
    let response = result.map {
      Graph.Response<GraphQL.AbstractResponse>($0.content, source: .network)
    }
    switch response {
    case .success(let response): observation?.deliver(response, isLast: true)
    case .failure(let error): observation?.end(.failed(error))
    }
    return Graph.Attempt(result: response, wasPrepared: true, delay: delay)
  }
}
