import GraphQLRuntime

extension Graph {
  /// What came of sending an operation once.
  package struct Attempt: Sendable {
    package let result: Result<Response<GraphQL.AbstractResponse>, QueryError>
    /// Whether a request was made at all: false when a header provider or an interceptor failed, or
    /// took too long, before there was one.
    package let wasPrepared: Bool
    /// How long the server asks to wait.
    package let delay: Duration?
  }
}

extension Graph.Client {
  /// How long the host has asked all clients of the process to wait; nil where it has not. A request would
  /// be held back meanwhile.
  package var pause: Duration? { pipeline.pause }

  /// Sends an operation once, for a caller who repeats operations by rules of their own. The answer
  /// is not handed to the model manager.
  ///
  /// - Parameters:
  ///   - headers: beside the client's own.
  ///   - timeout: the longest time for all of it, preparation included.
  ///   - isCurrent: asked once the request has its token: when it is false, somebody else may have
  ///     logged in, and nothing is sent.
  nonisolated(nonsending) package func attempt(
    _ operation: GraphQL.Operation<GraphQL.AbstractResponse>, headers: Graph.Headers = [:],
    timeout: Duration? = nil, isCurrent: @Sendable () -> Bool = { true }
  ) async -> Graph.Attempt {
    let request: Graph.OperationRequest
    do {
      request = try await prepare(
        Graph.OperationRequest(
          operation, headers: headers, timeout: configuration.attemptTimeout,
          deadline: deadline(timeout)))
      guard isCurrent() else { throw Graph.QueryError.cancelled }
    } catch {
      return Graph.Attempt(
        result: .failure(Graph.QueryError(error)), wasPrepared: false, delay: nil)
    }
    let result: Result<Graph.OperationResponse, Graph.QueryError>
    do {
      result = .success(try await pipeline.response(to: request, repeats: false))
    } catch {
      result = .failure(Graph.QueryError(error))
    }
    var delay: Duration?
    if case .after(let asked) = Graph.RetryVerdict(result, now: time.now) { delay = asked }
    return Graph.Attempt(
      result: result.map { Graph.Response($0.content, source: .network) }, wasPrepared: true,
      delay: delay)
  }
}
