import Foundation
import GraphQLRuntime

extension Graph.Client {
  /// A subscription over the client's web socket.
  ///
  /// Each connection is opened like a separate request: new header fields, the host's throttle, and the
  /// interceptors, which receive an empty response with the status 101.
  ///
  /// - Parameter isBound: whether the operation may only use a connection of its own identity.
  func socketStream(
    _ request: Graph.OperationRequest, isBound: Bool = false
  ) -> Graph.SocketStream {
    let operation = request.withoutHeaders
    let identity = isBound ? identity(of: request) : nil
    return socket.subscribe(operation, identity: identity) { [self] _, dial in
      var operation = operation
      operation.deadline = deadline(nil)
      let request = try await prepare(operation, overHTTP: false)
      let record = Graph.SendingRecord()
      try await pipeline.waitForHost(until: request.deadline, record)
      let opened = Locked<(any Graph.WebSocketConnection)?>(nil)
      _ = try await pipeline.intercepted(request, record) { request in
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
      guard let connection = opened.withLock({ $0 }) else {
        throw Graph.QueryError.violation("an interceptor responded in place of the web socket")
      }
      return connection
    }
  }

  /// The identity without the transport's own fields, which a web socket does not have.
  private func identity(of request: Graph.OperationRequest) -> [String] {
    let transport = pipeline.exchange.transport.additionalHeaders.fields
    return Graph.CacheKey.identity(
      of: Graph.Headers(request.headers.fields.filter { !transport.contains($0) }))
  }
}

extension Graph.OperationRequest {
  /// The request without its header fields: each connection gets new ones.
  fileprivate var withoutHeaders: Graph.OperationRequest {
    var request = self
    request.headers = [:]
    return request
  }
}

extension Graph.SubscriptionSocket {
  /// The web socket of a client.
  convenience init(
    endpoint: URL, configuration: Graph.ClientConfiguration, transport: any Graph.Transport,
    time: any Graph.TimeSource
  ) {
    let settings = configuration.webSocket
    let limit = configuration.maximumResponseBytes
    let connector = Graph.SocketConnector(
      url: settings.url ?? endpoint,
      transport: settings.transport ?? Self.transport(beside: transport, limit),
      settings: settings, time: time)
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
