import Foundation
import GraphQLRuntime

extension Graph {
  /// What every operation goes through between the client and its transport: retry, interceptors,
  /// batches or persisted queries, one HTTP exchange.
  final class Pipeline: Sendable {
    let interceptors: [any Interceptor]
    let retryPolicy: RetryPolicy
    private let host: String
    private let gate: HostGate
    let time: any TimeSource
    let exchange: HTTPExchange
    /// How long nothing may arrive on a stream.
    let silence: Duration?
    private let persisted: PersistedExchange
    private let batches: BatchExchange?

    init(
      exchange: HTTPExchange, interceptors: [any Interceptor], configuration: ClientConfiguration,
      gate: HostGate, time: any TimeSource
    ) {
      self.exchange = exchange
      self.interceptors = interceptors
      self.gate = gate
      self.time = time
      retryPolicy = configuration.retryPolicy
      silence = configuration.streamTimeout
      host = exchange.endpoint.origin
      persisted = PersistedExchange(exchange, settings: configuration.persistedQueries)
      batches =
        configuration.batching.maximumCount > 1
        ? BatchExchange(exchange, policy: configuration.batching, time: time) : nil
    }

    /// The request as the interceptors complete it.
    func prepare(_ request: OperationRequest) async throws -> OperationRequest {
      var request = request
      for interceptor in interceptors { request = try await interceptor.prepare(request) }
      try request.headers.check()
      return request
    }

    /// The answer to a request that has been prepared, after as many attempts as the policy allows.
    ///
    /// - Parameter repeats: false allows one attempt.
    func response(
      to request: OperationRequest, repeats: Bool = true
    ) async throws -> OperationResponse {
      var attempt = 1
      while true {
        try await pass()
        try Task.checkCancellation()
        let result = await attemptResult(request)
        guard let delay = delay(after: result, attempt: attempt) else { return try result.get() }
        // The others who ask this host wait as well, whether or not this operation comes again.
        if case .theirs(let delay) = delay { gate.close(host, for: delay, time: time) }
        guard repeats, request.canRepeat, attempt < retryPolicy.maximumAttempts else {
          return try result.get()
        }
        if case .ours(let delay) = delay { try await time.sleep(for: delay) }
        attempt += 1
      }
    }

    /// Returns when the host may be asked.
    func pass() async throws { try await gate.pass(host, time: time) }

    private enum Delay {
      case ours(Duration)
      case theirs(Duration)
    }

    private func delay(
      after result: Result<OperationResponse, QueryError>, attempt: Int
    ) -> Delay? {
      switch RetryVerdict(result, now: time.now) {
      case .done: nil
      case .backOff: .ours(retryPolicy.backoff(after: attempt, random: time.random()))
      case .after(let delay) where delay > retryPolicy.maximumServerDelay: nil
      case .after(let delay):
        // A share of chance for the clients that other processes hold.
        .theirs(delay + retryPolicy.backoff(after: 1, random: time.random()))
      }
    }

    private func attemptResult(
      _ request: OperationRequest
    ) async -> Result<OperationResponse, QueryError> {
      do {
        return .success(
          try await intercepted(request) { request in
            if let batches = self.batches { return try await batches.response(to: request) }
            return try await self.persisted.response(to: request)
          })
      } catch {
        return .failure(QueryError(error))
      }
    }

    /// Calls the interceptors around each other, and `send` in their midst.
    func intercepted(
      _ request: OperationRequest, from index: Int = 0, send: @escaping Interceptor.Next
    ) async throws -> OperationResponse {
      guard index < interceptors.count else { return try await send(request) }
      return try await interceptors[index].intercept(request) { request in
        do {
          return try await self.intercepted(request, from: index + 1, send: send)
        } catch {
          throw QueryError(error)
        }
      }
    }
  }
}
