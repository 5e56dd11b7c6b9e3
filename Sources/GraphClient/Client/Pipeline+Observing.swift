import GraphQLRuntime

extension Graph.Pipeline {
  /// One attempt, with a span of its own if the call has a trace.
  ///
  /// - Parameter send: gets the request of the attempt.
  func observed(
    _ request: Graph.OperationRequest, number: Int,
    send: (Graph.OperationRequest) async throws -> Graph.OperationResponse
  ) async throws -> Graph.OperationResponse {
    guard let observation = request.observation else { return try await send(request) }
    var request = request
    request.traceContext = observation.attemptContext()
    let start = observation.uptime
    do {
      let response = try await send(request)
      observation.emit(
        .attempt(
          Graph.ObservedAttempt(
            number: number, status: response.status, errorCount: response.errors.count,
            span: request.traceContext?.spanID)), since: start)
      return response
    } catch {
      let failure = Graph.QueryError(error, of: request)
      observation.emit(
        .attempt(
          Graph.ObservedAttempt(
            number: number, status: failure.response?.status, error: failure,
            errorCount: failure.errors.count, span: request.traceContext?.spanID)), since: start)
      throw error
    }
  }
}

extension Graph.ObservedRetry {
  /// - Parameter result: of an attempt that is followed by another one.
  init(_ result: Result<Graph.OperationResponse, Graph.QueryError>) {
    switch result {
    case .success(let response) where response.errors.contains { $0.code == "THROTTLED" }:
      self = .throttled
    case .success(let response): self = .status(response.status)
    case .failure(let error): self = error.response?.status.map { .status($0) } ?? .connection
    }
  }
}
