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
    return try sockets.subscribe(operation) { [weak self] former, dial in
      guard let self else { throw Graph.QueryError.cancelled }
      var request = operation
      request.deadline = deadline(nil)
      if let former {
        if let refused = former.refusedHeaders { await refuseToken(in: refused) }
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
        return Graph.OperationResponse(
          status: 200, headers: [:], content: content, bytes: bytes, sentHeaders: request.headers)
      } catch let failure as GraphQL.ResponseFailure {
        throw Graph.QueryError(failure, Graph.FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}

extension Graph.OperationRequest {
  /// Whether the response is one message, and the request needs no header field of its own.
  fileprivate var fitsWebSocket: Bool {
    uploads.isEmpty && idempotencyKey == nil && !document.arrivesInParts
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

extension Graph {
  /// The web sockets of a client, one for each identity that is in use.
  final class SocketPool: Sendable {
    private let sockets = Locked<[SubscriptionSocket]>([])
    private let connector: SocketConnector
    private let retryPolicy: RetryPolicy
    private let maximumUnreadBytes: Int

    /// - Parameter maximumUnreadBytes: the maximum number of unread bytes of one operation.
    init(_ connector: SocketConnector, retryPolicy: RetryPolicy, maximumUnreadBytes: Int) {
      self.connector = connector
      self.retryPolicy = retryPolicy
      self.maximumUnreadBytes = maximumUnreadBytes
    }

    deinit {
      for socket in sockets.withLock({ $0 }) { socket.closeIfIdle() }
    }

    /// Sends an operation over the web socket of its identity. Idle ones of other identities close.
    ///
    /// - Throws: ``OtherIdentity`` for a query or mutation if only web sockets of other identities
    ///   are in use. It can use HTTP, and header fields that are different in every request do not
    ///   lead to a connection for each of them at the same time.
    func subscribe(
      _ request: OperationRequest, open: @escaping SubscriptionSocket.ConnectionOpener
    ) throws(QueryError) -> SocketStream {
      let identity = Identity(of: request.headers)
      let stream = sockets.withLock { sockets -> SocketStream? in
        for socket in sockets { socket.closeIfIdle(unless: identity) }
        sockets.removeAll { $0.isClosed }
        for socket in sockets {
          if let stream = socket.subscribe(request, identity: identity, open: open) {
            return stream
          }
        }
        guard sockets.isEmpty || request.kind == .subscription else { return nil }
        let socket = SubscriptionSocket(
          connector, retryPolicy: retryPolicy, maximumUnreadBytes: maximumUnreadBytes)
        sockets.append(socket)
        return socket.subscribe(request, identity: identity, open: open)
      }
      guard let stream else { throw .otherIdentity }
      return stream
    }
  }
}
