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
    case .refused(let wait): throw Self.isLimited(wait)
    case .granted(let wait):
      do { try await self.wait(wait, request, reserved, limiter) } catch {
        await limiter.settle(reserved, Graph.RateReport(cost: 0))
        throw error
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

  /// Waits until the request may be sent. The response of another request may extend the wait by a pause. After it, the
  /// request is sent in any case: the clock of the limiter may be another one.
  private func wait(
    _ wait: Duration, _ request: Graph.OperationRequest, _ reserved: Graph.RateRequest,
    _ limiter: any Graph.RateLimiter
  ) async throws {
    guard wait > .zero else { return }
    let start = request.observation?.uptime
    defer { request.observation?.emit(.waited(.rateLimit), since: start) }
    try await sleep(for: wait)
    let pause = await limiter.pause(for: reserved)
    if let deadline = request.deadline, pause > deadline.remaining { throw Self.isLimited(pause) }
    if pause > .zero { try await sleep(for: pause) }
  }

  private func sleep(for duration: Duration) async throws {
    do { try await time.sleep(for: duration) } catch {
      throw Graph.TransportError(
        .cancelled, message: "the call was cancelled while it waited for the server's rate limit",
        underlying: error)
    }
  }

  private static func isLimited(_ wait: Duration) -> Graph.TransportError {
    .deadlineExceeded(
      "before the server's rate limit allows the request, which takes \(wait)", bytesSent: false)
  }
}
