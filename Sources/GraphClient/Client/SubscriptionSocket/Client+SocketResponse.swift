import GraphQLRuntime

extension Graph.Client {
  /// The server's response to a prepared query or mutation, over HTTP or, if configured, over the
  /// web socket.
  func networkResponse(
    to request: Graph.OperationRequest, repeats: Bool = true
  ) async throws -> Graph.OperationResponse {
    let isPrefetch = Graph.Prefetch.current != nil
    if !isPrefetch { prefetches.requestBegan() }
    defer { if !isPrefetch { prefetches.requestEnded() } }
    guard configuration.webSocket.carriesQueriesAndMutations, request.fitsWebSocket else {
      return try await pipeline.response(to: request, repeats: repeats)
    }
    return try await pipeline.response(to: request, repeats: repeats) { request, record in
      do { return try await self.socketResponse(to: request) } catch  where error.isOtherIdentity {
        // The connection belongs to a user who was logged in before, or has an older token.
        return try await self.pipeline.sendOverHTTP(request, record)
      }
    }
  }

  private func socketResponse(
    to request: Graph.OperationRequest
  ) async throws -> Graph.OperationResponse {
    let stream = try socketStream(request)
    return try await Graph.abandonable { giveUp in
      guard let limit = request.transportTimeout else { return [] }
      return [
        time.schedule(after: limit) {
          giveUp(
            Graph.TransportError(
              .timedOut, message: "the server did not respond over the web socket within \(limit)",
              bytesSent: stream.wasSent))
        }
      ]
    } work: {
      guard let bytes = try await stream.next() else { throw Graph.QueryError.noData() }
      do {
        let content = try request.observation.reading(bytes.count) {
          () throws(GraphQL.ResponseFailure) in try request.reader.read(bytes)
        }
        return Graph.OperationResponse(status: 200, headers: [:], content: content, bytes: bytes)
      } catch let failure as GraphQL.ResponseFailure {
        throw Graph.QueryError(failure, Graph.FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}

extension Graph.OperationRequest {
  /// Whether the response is one message, and the request needs no header field of its own. The
  /// search for directives may find one in a string: then the request only uses HTTP.
  fileprivate var fitsWebSocket: Bool {
    uploads.isEmpty && idempotencyKey == nil && !document.contains("@defer")
      && !document.contains("@stream")
  }
}

extension Graph {
  /// A query or mutation cannot use a web socket, since the one in use has other credentials. It was
  /// not sent.
  struct OtherIdentity: Error {}
}

extension Graph.QueryError {
  static let otherIdentity = Graph.QueryError(
    .transport, message: "the web socket has other credentials", cause: Graph.OtherIdentity())
}

extension Error {
  fileprivate var isOtherIdentity: Bool {
    (self as? Graph.QueryError)?.cause is Graph.OtherIdentity
  }
}
