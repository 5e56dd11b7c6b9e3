import GraphQLRuntime

extension Graph {
  /// A server's response to an operation that may stream.
  enum StreamOrResponse {
    case stream(PayloadStream)
    /// A single response.
    case response(OperationResponse)
  }
}

extension Graph.Pipeline {
  /// Sends an operation whose response may stream. The interceptors wrap the opening, so that a
  /// refused token is refreshed as usual; for a stream they receive an empty response.
  ///
  /// - Parameters:
  ///   - request: a prepared request.
  ///   - accept: the media types that the response may have.
  ///   - idleTimeout: the maximum idle time of the stream.
  func open(
    _ request: Graph.OperationRequest, accept: String, idleTimeout: Duration?
  ) async throws -> Graph.StreamOrResponse {
    let record = Graph.SendingRecord()
    try await waitForHost(of: request, record)
    // Passes the stream to the caller outside the interceptors.
    let opened = Locked<Graph.PayloadStream?>(nil)
    let response = try await observed(request, number: 1) { request in
      try await intercepted(request, record) { [self] request in
        try await limited(request) { request in
          try await record.note(request) {
            let (stream, response) = try await self.exchange(request, accept, idleTimeout)
            // If an interceptor opened two, the last one counts.
            opened.withLock { $0 = stream }
            return response
          }
        }
      }
    }
    return opened.withLock { $0 }.map { .stream($0) } ?? .response(response)
  }
  /// - Returns: an empty response if there is a stream.
  private func exchange(
    _ request: Graph.OperationRequest, _ accept: String, _ idleTimeout: Duration?
  ) async throws -> (Graph.PayloadStream?, Graph.OperationResponse) {
    let http = exchange.streamRequest(request, accept: accept)
    try http.check()
    var observation = Graph.ExchangeObservation([request], http)
    do {
      let head = try await exchange.transport.send(http)
      observation?.status = head.status
      let limit = exchange.maximumResponseBytes
      let stream = Graph.PayloadStream(
        head, maximumByteCount: limit, idleTimeout: idleTimeout, time: time)
      if stream != nil {
        observation?.end(receivedBytes: 0)
        return (
          stream,
          Graph.OperationResponse(
            status: head.status, headers: head.headers, content: .none, bytes: [])
        )
      }
      let bytes = try await head.body.collect(upTo: limit)
      observation?.end(receivedBytes: bytes.count)
      return (
        nil,
        try Graph.ResponseReader(request: request)
          .read(status: head.status, headers: head.headers, bytes: bytes)
      )
    } catch {
      observation?.end(receivedBytes: 0)
      throw error
    }
  }
}
