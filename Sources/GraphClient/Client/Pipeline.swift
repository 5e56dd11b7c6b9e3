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
          return try record.outcome(result)
        }
        // Other requests to this host wait as well, whether or not this operation is retried.
        if case .after = decision { throttle.delay(host, by: delay, time: time) }
        guard repeats, request.canRepeat, attempt < retryPolicy.maximumAttempts,
          request.deadline.map({ delay < $0.remaining }) ?? true
        else { return try record.outcome(result) }
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

extension Graph {
  /// The requests that a call has sent so far, for the error of a call that times out.
  final class SendingRecord: Sendable {
    private struct State {
      /// The number of requests that the transport is carrying.
      var sendingCount = 0
      /// Whether the server may have carried out a request that has left the transport.
      var mayBeCarriedOut = false
      var isClosed = false

      var bytesSent: Bool { sendingCount > 0 || mayBeCarriedOut }
    }

    private let state = Locked(State())

    var isSending: Bool { state.withLock { $0.sendingCount > 0 } }

    /// Whether the server may have carried out any request. A request that it refused because of
    /// its token, or did not accept, does not count.
    var bytesSent: Bool { state.withLock { $0.bytesSent } }

    /// Prevents any further sending.
    ///
    /// - Returns: whether the server may have carried out any request.
    @discardableResult
    func close() -> Bool {
      state.withLock { state in
        state.isClosed = true
        return state.bytesSent
      }
    }

    /// Runs `send` and records its outcome.
    ///
    /// - Throws: the errors of `send`. If the record is closed or the deadline has passed, an
    ///   error, and nothing is sent.
    nonisolated(nonsending) func note(
      _ request: OperationRequest,
      _ send: nonisolated(nonsending) () async throws -> OperationResponse
    ) async throws -> OperationResponse {
      if request.deadline?.hasPassed == true {
        throw TransportError.deadlineExceeded("before its request was sent", bytesSent: bytesSent)
      }
      let mayBegin = state.withLock { state in
        if !state.isClosed { state.sendingCount += 1 }
        return !state.isClosed
      }
      guard mayBegin else { throw CancellationError() }
      let result: Result<OperationResponse, any Error>
      do { result = .success(try await send()) } catch { result = .failure(error) }
      state.withLock { state in
        state.sendingCount -= 1
        if Self.mayBeCarriedOut(result) { state.mayBeCarriedOut = true }
      }
      return try result.get()
    }

    /// The result of a call whose last attempt has that result: the server may have carried out an earlier one.
    func outcome(
      _ result: Result<OperationResponse, QueryError>
    ) throws(QueryError) -> OperationResponse {
      do { return try result.get() } catch {
        guard let cause = error.transportError, !cause.bytesSent, bytesSent else { throw error }
        throw QueryError(
          error.code, message: error.message, cause: cause.afterSending, errors: error.errors,
          request: error.request, response: error.response)
      }
    }

    private static func mayBeCarriedOut(_ result: Result<OperationResponse, any Error>) -> Bool {
      switch result {
      case .success(let response):
        return response.data != nil
          || response.status != 401 && !response.errors.contains { $0.code == "UNAUTHENTICATED" }
      case .failure(let error):
        let error = QueryError(error)
        switch error.code {
        case .transport, .cancelled: return error.transportError?.bytesSent ?? true
        case .status: return error.response?.status != 401 && error.response?.status != 429
        default: return true
        }
      }
    }
  }
}

extension Graph {
  /// Observes and changes operations before they are sent, and responses when they arrive: logging,
  /// tokens, accounting.
  ///
  /// The client calls the interceptors in order, each around the next, for every attempt.
  public protocol Interceptor: Sendable {
    /// A continuation of the chain: the next interceptor, or the request itself.
    typealias Next = @Sendable (OperationRequest) async throws -> OperationResponse

    /// Completes the request before the cache is read. Header fields that identify the user must be
    /// set here: they determine whose responses the cache may return.
    func prepare(_ request: OperationRequest) async throws -> OperationRequest

    /// Wraps one attempt. If it throws anything other than a ``QueryError``, the caller gets it as
    /// the cause of one with the code ``QueryError/Code/transport``.
    func intercept(_ request: OperationRequest, next: Next) async throws -> OperationResponse
  }
}

extension Graph.Interceptor {
  /// Returns the request unchanged.
  public func prepare(_ request: Graph.OperationRequest) -> Graph.OperationRequest { request }

  public func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    try await next(request)
  }
}

extension Graph.Pipeline {
  /// Calls the interceptors around each other, and `send` as the innermost. The caller gets an
  /// error when its deadline passes or an interceptor hangs, and returns at once when it is
  /// cancelled, whatever the interceptors do.
  ///
  /// - Parameter send: sends a request within ``Graph/SendingRecord/note(_:_:)`` of the record.
  func intercepted(
    _ request: Graph.OperationRequest, _ record: Graph.SendingRecord,
    send: @escaping Graph.Interceptor.Next
  ) async throws -> Graph.OperationResponse {
    guard !interceptors.isEmpty else { return try await send(request) }
    do {
      return try await abandonable(request, record, send: send)
    } catch is CancellationError where !record.close() {
      throw Graph.TransportError(
        .cancelled, message: "the call was cancelled before its request was sent")
    }
  }

  private func abandonable(
    _ request: Graph.OperationRequest, _ record: Graph.SendingRecord,
    send: @escaping Graph.Interceptor.Next
  ) async throws -> Graph.OperationResponse {
    let timer = Graph.InterceptorTimer(limit: preparationTimeout, time: time)
    return try await Graph.abandonable(onLeaving: { record.close() }) { giveUp in
      timer.start { limit in
        giveUp(
          Graph.TransportError(
            .timedOut, message: "an interceptor took longer than \(limit)",
            bytesSent: record.close()))
      }
      let timeouts =
        request.deadline?.scheduleTimeout {
          record.isSending
        } giveUp: {
          giveUp(
            Graph.TransportError.deadlineExceeded(
              "while an interceptor ran or the request was in progress",
              bytesSent: record.close()))
        } ?? []
      return timeouts + [Graph.ScheduledAction(cancel: timer.stop)]
    } work: {
      try await self.intercepted(request, from: 0) { request in
        timer.pause()
        defer { timer.resume() }
        return try await send(request)
      }
    }
  }

  private func intercepted(
    _ request: Graph.OperationRequest, from index: Int, send: @escaping Graph.Interceptor.Next
  ) async throws -> Graph.OperationResponse {
    guard index < interceptors.count else { return try await send(request) }
    return try await interceptors[index].intercept(request) { request in
      do {
        return try await self.intercepted(request, from: index + 1, send: send)
      } catch {
        throw Graph.QueryError(error, of: request)
      }
    }
  }
}

extension Graph {
  /// Measures the time of interceptors apart from sending, one period at a time.
  final class InterceptorTimer: Sendable {
    private struct State {
      var sendingCount = 0
      var timeout: ScheduledAction?
      var onTimeout: (@Sendable (Duration) -> Void)?
    }

    private let limit: Duration?
    private let time: any TimeSource
    private let state = Locked(State())

    init(limit: Duration?, time: any TimeSource) {
      self.limit = limit
      self.time = time
    }

    /// - Parameter onTimeout: called when a period exceeds the limit.
    func start(_ onTimeout: @escaping @Sendable (Duration) -> Void) {
      state.withLock { state in
        state.onTimeout = onTimeout
        // The work may have reached its sending already.
        if state.sendingCount == 0 { begin(&state) }
      }
    }

    /// A request is passed to the transport.
    func pause() {
      state.withLock { state in
        state.sendingCount += 1
        state.timeout.take()?.cancel()
      }
    }

    /// The transport has finished a request.
    func resume() {
      state.withLock { state in
        state.sendingCount -= 1
        if state.sendingCount == 0 { begin(&state) }
      }
    }

    func stop() {
      state.withLock { state in
        state.onTimeout = nil
        state.timeout.take()?.cancel()
      }
    }

    private func begin(_ state: inout State) {
      guard let limit, let onTimeout = state.onTimeout else { return }
      state.timeout = time.schedule(after: limit) { onTimeout(limit) }
    }
  }
}
