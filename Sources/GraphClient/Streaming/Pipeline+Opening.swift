import GraphQLRuntime

extension Graph {
  /// How a server answers an operation that may stream.
  enum Opening {
    case stream(PayloadStream)
    /// One response, and no more.
    case response(OperationResponse)
  }
}

extension Graph.Pipeline {
  /// Sends an operation whose answer may stream. The interceptors go around the opening, so that a
  /// refused token is refreshed as elsewhere; of a stream they see an empty response.
  ///
  /// - Parameters:
  ///   - request: one that has been prepared.
  ///   - accept: the media types that the answer may have.
  ///   - silence: how long nothing may arrive on the stream.
  func open(
    _ request: Graph.OperationRequest, accept: String, silence: Duration?
  ) async throws -> Graph.Opening {
    let record = Graph.SendingRecord()
    try await pass(until: request.deadline, record)
    // Carries the stream past the interceptors.
    let opened = Locked<Graph.PayloadStream?>(nil)
    let response = try await intercepted(request, record) { [exchange, time] request in
      let http = exchange.streamRequest(request, accept: accept)
      try http.check()
      let head = try await exchange.transport.send(http)
      let limit = exchange.maximumResponseBytes
      let stream = Graph.PayloadStream(
        head, maximumByteCount: limit, silence: silence, time: time)
      // Of two that an interceptor opened, the last one counts.
      opened.withLock { $0 = stream }
      guard stream == nil else {
        return Graph.OperationResponse(
          status: head.status, headers: head.headers, content: .none, bytes: [])
      }
      let bytes = try await head.body.collect(upTo: limit)
      return try Graph.ResponseReader(request: request)
        .read(status: head.status, headers: head.headers, bytes: bytes)
    }
    return opened.withLock { $0 }.map { .stream($0) } ?? .response(response)
  }
}
