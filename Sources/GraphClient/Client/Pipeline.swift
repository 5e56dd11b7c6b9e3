import Foundation
import GraphQLRuntime

extension Graph {
  /// The steps of every operation between the client and its transport: retry, interceptors,
  /// batches or persisted queries, one HTTP exchange.
  final class Pipeline: Sendable {
    let interceptors: [any Interceptor]
    let retryPolicy: RetryPolicy
    private let host: String
    private let throttle: HostThrottle
    let time: any TimeSource
    let exchange: HTTPExchange
    /// How long an interceptor may take.
    let preparationTimeout: Duration?
    let limiter: (any RateLimiter)?
    let costs: CostEstimates
    private let persisted: PersistedExchange
    private let batches: BatchExchange?

    init(
      exchange: HTTPExchange, interceptors: [any Interceptor], configuration: ClientConfiguration,
      throttle: HostThrottle, time: any TimeSource
    ) {
      self.exchange = exchange
      self.interceptors = interceptors
      self.throttle = throttle
      self.time = time
      retryPolicy = configuration.retryPolicy
      preparationTimeout = configuration.preparationTimeout
      limiter = configuration.rateLimiter
      costs = CostEstimates(rules: configuration.costRules)
      host = exchange.endpoint.origin
      persisted = PersistedExchange(exchange, settings: configuration.persistedQueries)
      batches =
        configuration.batching.maximumCount > 1
        ? BatchExchange(exchange, policy: configuration.batching, time: time) : nil
    }

    /// The pause that the host has requested; nil if there is none.
    var pause: Duration? { throttle.pause(of: host, time: time) }

    var hasInterceptors: Bool { !interceptors.isEmpty }

    /// The request as the interceptors complete it.
    func prepare(_ request: OperationRequest) async throws -> OperationRequest {
      var request = request
      for interceptor in interceptors { request = try await interceptor.prepare(request) }
      try request.headers.check()
      return request
    }

    /// Sends a request other than over HTTP. The record is noted around it.
    typealias Send = @Sendable (OperationRequest, SendingRecord) async throws -> OperationResponse

    /// The response to a prepared request, after as many attempts as the policy and the request's
    /// deadline allow.
    ///
    /// - Parameters:
    ///   - repeats: false allows one attempt.
    ///   - send: nil for HTTP.
    func response(
      to request: OperationRequest, repeats: Bool = true, send: Send? = nil
    ) async throws -> OperationResponse {
      let record = SendingRecord()
      var attempt = 1
      while true {
        try await waitForHost(of: request, record)
        try Task.checkCancellation()
        let result = await attemptResult(request, record, send, number: attempt)
        let decision = RetryDecision(result, now: time.now)
        guard let delay = retryPolicy.delay(decision, after: attempt, time: time) else {
          return try result.get()
        }
        // Other requests to this host wait as well, whether or not this operation is retried.
        if case .after = decision { throttle.delay(host, by: delay, time: time) }
        guard repeats, request.canRepeat, attempt < retryPolicy.maximumAttempts,
          request.deadline.map({ delay < $0.remaining }) ?? true
        else { return try result.get() }
        request.observation?.emit(.retry(ObservedRetry(result), after: delay))
        // The throttle applies the delay that the server requests.
        if decision == .backOff { try await time.sleep(for: delay) }
        attempt += 1
      }
    }

    /// Returns when a request to the host is allowed.
    ///
    /// - Throws: ``TransportError`` with `timedOut` if the deadline passes before.
    func waitForHost(of request: OperationRequest, _ record: SendingRecord) async throws {
      let observation = throttle.delays(host, time: time) ? request.observation : nil
      let start = observation?.uptime
      defer { observation?.emit(.waited(.serverPause), since: start) }
      guard
        try await throttle.waitForPermission(for: host, until: request.deadline, time: time)
      else {
        throw TransportError.deadlineExceeded(
          "during a pause that the server requested", bytesSent: record.bytesSent)
      }
    }

    /// One exchange, in a batch if the configuration has them. Nothing is sent while it waits for the limiter.
    func sendOverHTTP(
      _ request: OperationRequest, _ record: SendingRecord
    ) async throws -> OperationResponse {
      try await limited(request) { request in
        try await record.note(request) {
          if let batches { return try await batches.response(to: request) }
          return try await persisted.response(to: request)
        }
      }
    }

    private func attemptResult(
      _ request: OperationRequest, _ record: SendingRecord, _ send: Send?, number: Int
    ) async -> Result<OperationResponse, QueryError> {
      let interval = SignpostInterval.begin(.request, operation: request.name)
      defer { interval.end() }
      do {
        return .success(
          try await observed(request, number: number) { request in
            try await intercepted(request, record) { request in
              guard let send else { return try await self.sendOverHTTP(request, record) }
              return try await record.note(request) { try await send(request, record) }
            }
          })
      } catch {
        return .failure(QueryError(error, of: request))
      }
    }
  }
}
