import GraphQLRuntime

extension Graph {
  /// Where a client's header fields come from.
  enum HeaderSource: Sendable {
    case constant(Headers)
    case made(Client.HeaderProvider)
  }
}

extension Graph.Client {
  /// When a call that begins now has to be over.
  ///
  /// - Parameter timeout: the call's own.
  func deadline(_ timeout: Duration?) -> Graph.Deadline? {
    (timeout ?? configuration.timeout).map { Graph.Deadline(after: $0, time: time) }
  }

  /// The operation with every header field that belongs to it.
  ///
  /// - Throws: what the header provider or an interceptor throws; ``Graph/TransportError`` with
  ///   `timedOut` when they take longer than ``Graph/ClientConfiguration/preparationTimeout`` or the
  ///   request's deadline allows.
  func prepare(_ request: Graph.OperationRequest) async throws -> Graph.OperationRequest {
    if let refusal { throw refusal }
    if case .constant(let headers) = headers, !pipeline.hasInterceptors {
      return try await pipeline.prepare(completed(request, headers))
    }
    return try await Graph.abandonable { giveUp in
      let deadline = request.deadline?.alarm {
        giveUp(
          Graph.TransportError.timeIsUp("while its request was prepared", bytesSent: false))
      }
      let limit = configuration.preparationTimeout.map { limit in
        time.alarm(after: limit) {
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
        case .made(let provider): try await provider()
        }
      return try await self.pipeline.prepare(self.completed(request, headers))
    }
  }

  private func completed(
    _ request: Graph.OperationRequest, _ headers: Graph.Headers
  ) -> Graph.OperationRequest {
    var headers = headers
    if let language = configuration.language, headers["Accept-Language"] == nil {
      headers["Accept-Language"] = language
    }
    headers.merge(request.headers)
    var request = request
    request.headers = headers
    return request
  }
}
