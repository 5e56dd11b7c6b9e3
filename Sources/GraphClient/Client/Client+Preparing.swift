import GraphQLRuntime

extension Graph {
  /// The source of a client's header fields.
  enum HeaderSource: Sendable {
    case constant(Headers)
    case provider(Client.HeaderProvider)
  }
}

extension Graph.Client {
  /// The deadline of a call that starts now.
  ///
  /// - Parameter timeout: the call's own.
  func deadline(_ timeout: Duration?) -> Graph.Deadline? {
    (timeout ?? configuration.timeout).map { Graph.Deadline(after: $0, time: time) }
  }

  package func operation<Builder: GraphQL.OperationRepresentable>(
    of builder: Builder
  ) throws(Graph.QueryError) -> GraphQL.Operation<Builder.Response> {
    do { return try builder.operation() } catch { throw Graph.QueryError(error) }
  }

  /// The operation with every header field that belongs to it.
  ///
  /// - Parameter overHTTP: false leaves out the transport's fields, since a web socket does not use
  ///   the transport.
  /// - Throws: errors of the header provider or an interceptor; a ``Graph/TransportError`` with
  ///   `timedOut` if they take longer than ``Graph/ClientConfiguration/preparationTimeout`` or the
  ///   request's deadline allows.
  func prepare(
    _ request: Graph.OperationRequest, overHTTP: Bool = true
  ) async throws(Graph.QueryError) -> Graph.OperationRequest {
    do {
      return try await prepared(request, overHTTP: overHTTP)
    } catch {
      throw Graph.QueryError(error, of: request)
    }
  }

  private func prepared(
    _ request: Graph.OperationRequest, overHTTP: Bool
  ) async throws -> Graph.OperationRequest {
    let transportHeaders = overHTTP ? transportHeaders : [:]
    if case .constant(let headers) = headers, !pipeline.hasInterceptors {
      return try await pipeline.prepare(try completed(request, transportHeaders, headers))
    }
    return try await Graph.abandonable { giveUp in
      let deadline = request.deadline?.schedule {
        giveUp(
          Graph.TransportError.deadlineExceeded(
            "while its request was being prepared", bytesSent: false))
      }
      let limit = configuration.preparationTimeout.map { limit in
        time.schedule(after: limit) {
          giveUp(
            Graph.TransportError(
              .timedOut,
              message: "the header provider or an interceptor took longer than \(limit)"))
        }
      }
      return [deadline, limit].compactMap { $0 }
    } work: {
      let headers =
        switch self.headers {
        case .constant(let headers): headers
        case .provider(let provider): try await provider()
        }
      return try await self.pipeline.prepare(try self.completed(request, transportHeaders, headers))
    }
  }

  /// The transport's own fields, except those that the client sets for each request.
  private var transportHeaders: Graph.Headers {
    var headers = pipeline.exchange.transport.additionalHeaders
    guard !headers.fields.isEmpty else { return headers }
    headers["Accept"] = nil
    headers["Content-Type"] = nil
    return headers
  }

  private func completed(
    _ request: Graph.OperationRequest, _ transportHeaders: Graph.Headers,
    _ clientHeaders: Graph.Headers
  ) throws(Graph.QueryError) -> Graph.OperationRequest {
    var headers = transportHeaders
    headers.merge(clientHeaders)
    if let language = configuration.language, clientHeaders["Accept-Language"] == nil {
      headers["Accept-Language"] = language
    }
    headers.merge(request.headers)
    var request = request
    request.headers = headers
    if let identification = configuration.identification { request.add(identification) }
    return try configuration.trustedDocuments?.identified(request) ?? request
  }
}

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
