import GraphQLRuntime

extension Graph.Pipeline {
  /// Sends a request when the limiter allows it, and passes on to the limiter what the response has.
  ///
  /// This is the innermost step: a request that an interceptor repeats with a new token is one more request, and may
  /// have another budget.
  func limited(
    _ request: Graph.OperationRequest,
    send: (Graph.OperationRequest) async throws -> Graph.OperationResponse
  ) async throws -> Graph.OperationResponse {
    guard let limiter else { return try await send(request) }
    let reserved = Graph.RateRequest(
      scope: Graph.CacheKey.scope(endpoint: exchange.endpoint, headers: request.headers),
      operationName: request.name, cost: costs.estimate(request))
    switch await limiter.reserve(reserved, within: request.deadline?.remaining) {
    case .refused(let wait):
      throw Graph.TransportError.deadlineExceeded(
        "before the server's rate limit allows the request, which takes \(wait)", bytesSent: false)
    case .granted(let wait):
      do { try await pause(wait, request) } catch {
        await limiter.settle(reserved, Graph.RateReport(cost: 0))
        throw Graph.TransportError(
          .cancelled, message: "the call was cancelled while it waited for the server's rate limit",
          underlying: error)
      }
    }
    do {
      let response = try await send(request)
      costs.learn(request, from: response)
      await limiter.settle(reserved, report(.success(response)))
      return response
    } catch {
      let failure = Graph.QueryError(error, of: request)
      await limiter.settle(reserved, report(.failure(failure)))
      throw error
    }
  }

  private func report(
    _ result: Result<Graph.OperationResponse, Graph.QueryError>
  ) -> Graph.RateReport {
    Graph.RateReport(result, maximumPause: retryPolicy.maximumServerDelay, now: time.now)
  }

  private func pause(_ wait: Duration, _ request: Graph.OperationRequest) async throws {
    guard wait > .zero else { return }
    let start = request.observation?.uptime
    defer { request.observation?.emit(.waited(.rateLimit), since: start) }
    try await time.sleep(for: wait)
  }
}
