import GraphQLRuntime

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
