import Foundation
import GraphQLRuntime

extension Graph.Client {
  /// A prepared operation over a web socket of its identity.
  ///
  /// Each connection is opened like a separate request, with the host's throttle and the interceptors,
  /// which receive an empty response with the status 101. The first one has the header fields of the
  /// operation, the others have new ones.
  ///
  /// - Throws: ``Graph/OtherIdentity`` for a query or mutation if a web socket of another identity
  ///   is in use.
  func socketStream(
    _ request: Graph.OperationRequest
  ) throws(Graph.QueryError) -> Graph.SocketStream {
    let operation = withoutTransportHeaders(request)
    // An idle connection does not keep the client.
    return try sockets.subscribe(operation) { [weak self] renews, dial in
      guard let self else { throw Graph.QueryError.cancelled }
      var request = operation
      request.deadline = deadline(nil)
      if renews {
        request.headers = [:]
        request = try await prepare(request, overHTTP: false)
      }
      let record = Graph.SendingRecord()
      try await pipeline.waitForHost(of: request, record)
      let opened = Locked<(any Graph.WebSocketConnection)?>(nil)
      _ = try await pipeline.intercepted(request, record) { request in
        try await record.note(request) {
          let connection = try await dial(request)
          let former = opened.withLock { opened in
            defer { opened = connection }
            return opened
          }
          former?.close(nil)
          return Graph.OperationResponse(
            status: 101, headers: [:],
            content: .none, bytes: [])
        }
      }
      guard let connection = opened.withLock({ $0 }) else {
        throw Graph.QueryError.violation("an interceptor responded in place of the web socket")
      }
      return connection
    }
  }

  /// The request without the transport's own fields, which a web socket does not have.
  private func withoutTransportHeaders(
    _ request: Graph.OperationRequest
  ) -> Graph.OperationRequest {
    let transport = pipeline.exchange.transport.additionalHeaders.fields
    var request = request
    request.headers = Graph.Headers(request.headers.fields.filter { !transport.contains($0) })
    return request
  }
}

extension Graph.SocketPool {
  /// The web sockets of a client.
  convenience init(
    endpoint: URL, configuration: Graph.ClientConfiguration, transport: any Graph.Transport,
    time: any Graph.TimeSource, observers: Graph.Observers?
  ) {
    let settings = configuration.webSocket
    let limit = configuration.maximumResponseBytes
    let connector = Graph.SocketConnector(
      url: settings.url ?? endpoint,
      transport: settings.transport ?? Self.transport(beside: transport, limit),
      settings: settings, time: time, observers: observers)
    self.init(
      connector, retryPolicy: configuration.retryPolicy, maximumUnreadBytes: limit)
  }

  /// Web sockets use the same route as the client's requests: the same proxy, the same authorities.
  private static func transport(
    beside transport: any Graph.Transport, _ maximumMessageBytes: Int
  ) -> any Graph.WebSocketTransport {
    #if canImport(Darwin)
      Graph.URLSessionWebSocketTransport(maximumMessageBytes: maximumMessageBytes)
    #else
      Graph.CurlWebSocketTransport(
        transport: transport as? Graph.CurlTransport ?? .shared,
        maximumMessageBytes: maximumMessageBytes)
    #endif
  }
}
