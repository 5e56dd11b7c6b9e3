import Foundation
import GraphJSON
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

extension Graph {
  /// Opens connections: handshake, `connection_init` and the server's
  /// `connection_ack`.
  struct SocketConnector: Sendable {
    let url: URL
    let transport: any WebSocketTransport
    let settings: WebSocketSettings
    let time: any TimeSource
    /// nil if there are none.
    let observers: Observers?

    func connect(headers: Headers) async throws -> any WebSocketConnection {
      try headers.check()
      let start = time.now.uptime
      let payload = try await payload(headers)
      let passed = time.now.uptime - start
      let request = HTTPRequest(
        method: .get, url: url, headers: headers,
        timeout: settings.connectTimeout.map { max($0 - passed, .milliseconds(1)) })
      let connection = try await transport.connect(
        request, subprotocol: settings.subprotocol.rawValue)
      do {
        try await connection.send(
          .text(ClientMessage.initialization(payload).text(in: settings.subprotocol)))
        try await acknowledgement(from: connection)
        return connection
      } catch {
        connection.close(error)
        throw error
      }
    }

    /// The payload of `connection_init`. A provider that hangs is abandoned when the connect
    /// timeout passes.
    private func payload(_ headers: Headers) async throws -> JSON.Object? {
      guard let provider = settings.connectionPayload else { return nil }
      return try await Graph.abandonable { giveUp in
        guard let limit = settings.connectTimeout else { return [] }
        return [
          time.schedule(after: limit) {
            giveUp(
              TransportError(
                .timedOut, message: "the provider of connection_init took longer than \(limit)"))
          }
        ]
      } work: {
        try await provider(headers)
      }
    }

    private func acknowledgement(from connection: any WebSocketConnection) async throws {
      let isLate = Locked(false)
      try await withWatchdog(after: settings.acknowledgementTimeout) {
        isLate.withLock { $0 = true }
        connection.close(code: 4504, reason: "connection_ack was not received in time")
      } during: {
        do {
          while true {
            switch try ServerMessage(await connection.receive(), in: settings.subprotocol) {
            case .acknowledgement: return
            case .ping:
              try await connection.send(.text(ClientMessage.pong.text(in: settings.subprotocol)))
            case .pong, .keepAlive: break
            default:
              throw QueryError.violation(
                "a response to an operation was received before connection_ack")
            }
          }
        } catch  where isLate.withLock({ $0 }) {
          throw TransportError(
            .timedOut, message: "the server did not send connection_ack in time",
            bytesSent: true)
        } catch let error as TransportError where error.underlying is WebSocketClosure {
          // Some servers refuse a payload without any other statement.
          throw TransportError(
            error.code, message: "\(error.message) before connection_ack",
            underlying: error.underlying, bytesSent: true)
        }
      }
    }

    /// Runs `body`, and calls `onTimeout` if it takes too long.
    private func withWatchdog(
      after timeout: Duration, _ onTimeout: @escaping @Sendable () -> Void,
      during body: () async throws -> Void
    ) async throws {
      let watchdog = Task { [time] in
        try await time.sleep(for: timeout)
        onTimeout()
      }
      defer { watchdog.cancel() }
      try await body()
    }
  }
}

extension Graph.WebSocketConnection {
  /// Closes with the code for `error` in the server's messages, or normally if there is none.
  func close(_ error: (any Error)?) {
    if let error = error as? Graph.QueryError, error.code == .protocolViolation {
      close(code: 4400, reason: error.message)
    } else {
      close(code: 1000, reason: "")
    }
  }
}

extension Graph.QueryError {
  /// Why a web socket could not be opened, or ended, as an error of the client.
  init(socket error: any Error) {
    let failure = error as? Graph.TransportError
    switch failure?.underlying {
    case let refusal as Graph.HandshakeRefusal:
      self = .status(
        Graph.FailedResponse(status: refusal.status, headers: refusal.headers), cause: failure)
    case let closure as Graph.WebSocketClosure: self = Self.closed(closure, error)
    default: self = Graph.QueryError(error)
    }
  }

  /// The protocol's close codes, and those of RFC 6455, section 7.4.1, grouped by how the client
  /// can react.
  private static func closed(
    _ closure: Graph.WebSocketClosure, _ failure: any Error
  ) -> Graph.QueryError {
    func other(_ code: Code, _ message: String) -> Graph.QueryError {
      Graph.QueryError(code, message: "\(message) (\(closure))", cause: closure)
    }
    return switch closure.code {
    case 4401: other(.unauthenticated, "the server refuses the credentials")
    case 4403: other(.unauthenticated, "the server forbids the connection")
    case 4408:
      Graph.QueryError(
        Graph.TransportError(
          .timedOut, message: "the server did not receive connection_init in time (\(closure))",
          underlying: closure, bytesSent: true))
    case 4400: other(.protocolViolation, "the server rejected a message as invalid")
    case 4406: other(.protocolViolation, "the server does not support the subprotocol")
    case 4409: other(.protocolViolation, "the server received two operations with the same id")
    case 4429: other(.protocolViolation, "the server received connection_init twice")
    case 1002, 1003, 1007...1010:
      other(.protocolViolation, "the server rejected a frame")
    // 4499, which ends a connection without a statement, and errors that are not caused by the
    // client.
    default: Graph.QueryError(failure)
    }
  }

  var isUnauthenticated: Bool { code == .unauthenticated }
}

extension Graph.RetryPolicy {
  /// The delay before the next connection; nil after the last attempt, and if a retry does not help.
  ///
  /// - Parameter failures: the number of failed connections in a row, including this one.
  func socketDelay(
    _ error: Graph.QueryError, failures: Int, time: any Graph.TimeSource
  ) -> Duration? {
    guard failures < maximumAttempts else { return nil }
    if error.code == .transport, error.transportError?.code == .timedOut {
      return delay(.backOff, after: failures, time: time)
    }
    return delay(
      Graph.RetryDecision(.failure(error), now: time.now), after: failures, time: time)
  }
}

extension Graph {
  /// The messages of a client over a web socket (GraphQL over WebSocket, Message types; the older
  /// protocol has other names for them, and no pings).
  enum ClientMessage: Sendable {
    case initialization(JSON.Object?)
    case ping
    case pong
    case subscribe(id: String, OperationRequest)
    case complete(id: String)

    func text(in subprotocol: WebSocketSubprotocol) -> String {
      var writer = JSONWriter()
      writer.beginObject()
      if let id {
        writer.key("id")
        writer.string(id)
      }
      writer.key("type")
      writer.string(type(in: subprotocol))
      switch self {
      case .initialization(let payload?):
        writer.key("payload")
        writer.value(.object(payload))
      case .subscribe(_, let request):
        writer.key("payload")
        request.write(to: &writer)
      default: break
      }
      writer.endObject()
      return String(decoding: writer.finish(), as: UTF8.self)
    }

    private var id: String? {
      switch self {
      case .subscribe(let id, _), .complete(let id): id
      default: nil
      }
    }

    private func type(in subprotocol: WebSocketSubprotocol) -> String {
      switch (self, subprotocol) {
      case (.initialization, _): "connection_init"
      case (.ping, _): "ping"
      case (.pong, _): "pong"
      case (.subscribe, .graphQLTransportWS): "subscribe"
      case (.subscribe, .graphQLWS): "start"
      case (.complete, .graphQLTransportWS): "complete"
      case (.complete, .graphQLWS): "stop"
      }
    }
  }
}

extension Graph {
  /// The messages of a server over a web socket (GraphQL over WebSocket, Message types; the older
  /// protocol has other names for them).
  enum ServerMessage: Equatable {
    case acknowledgement
    case ping
    case pong
    /// Only in the older protocol.
    case keepAlive
    /// A response to the operation `id`, as JSON.
    case next(id: String, payload: [UInt8])
    /// The operation `id` was refused: a JSON array of errors.
    case error(id: String, errors: [UInt8])
    case complete(id: String)

    /// - Throws: ``QueryError`` with the code `protocolViolation`, or `unauthenticated` if the server
    ///   refuses the connection.
    init(
      _ message: WebSocketMessage, in subprotocol: WebSocketSubprotocol
    ) throws(QueryError) {
      guard case .text(let text) = message else { throw .violation("a message is not text") }
      guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.isObject else {
        throw .violation("a message is not a JSON object")
      }
      switch (root["type"]?.string, subprotocol) {
      case ("connection_ack", _): self = .acknowledgement
      case ("ping", .graphQLTransportWS): self = .ping
      case ("pong", .graphQLTransportWS): self = .pong
      case ("ka", .graphQLWS): self = .keepAlive
      case ("next", .graphQLTransportWS), ("data", .graphQLWS):
        guard let payload = root["payload"], payload.isObject else {
          throw .violation("a message with a response has no payload")
        }
        self = .next(id: try Self.id(root), payload: payload.source)
      case ("error", _):
        self = .error(id: try Self.id(root), errors: try Self.errors(root, subprotocol))
      case ("complete", _): self = .complete(id: try Self.id(root))
      case ("connection_error", .graphQLWS): throw Self.refusal(root)
      // Its value may be any JSON, and long.
      default: throw .violation("a message has a type that the protocol does not define")
      }
    }

    /// A JSON array of errors. In the older protocol, the payload is often a single one.
    private static func errors(
      _ root: JSONNode, _ subprotocol: WebSocketSubprotocol
    ) throws(QueryError) -> [UInt8] {
      if let payload = root["payload"] {
        if payload.array != nil { return payload.source }
        if subprotocol == .graphQLWS, payload.isObject {
          return [UInt8(ascii: "[")] + payload.source + [UInt8(ascii: "]")]
        }
      }
      throw .violation("an error message has no list of errors")
    }

    private static func refusal(_ root: JSONNode) -> QueryError {
      let reason = root["payload"]?["message"]?.string ?? root["payload"]?.string
      let errors = reason.map { [GraphQL.ResponseError(message: $0)] } ?? []
      return QueryError(
        .unauthenticated, message: "the server refuses the connection", errors: errors)
    }

    private static func id(_ root: JSONNode) throws(QueryError) -> String {
      guard let id = root["id"]?.string else { throw .violation("a message has no id") }
      return id
    }
  }
}

extension JSONNode {
  fileprivate var isObject: Bool { document.kind(at: index) == .object }
  fileprivate var source: [UInt8] { Array(document.source(at: index)) }
}

extension Graph {
  /// The settings of the client's web sockets (GraphQL over WebSocket), of which each user has one.
  public struct WebSocketSettings: Sendable {
    /// Creates the payload of `connection_init`, in which many servers expect the token. It is
    /// called for each connection, with the header fields of its handshake as the interceptors
    /// completed them. Take the user's token from those fields: an operation whose fields are the
    /// same uses the existing connection.
    public typealias PayloadProvider = @Sendable (Headers) async throws -> JSON.Object?

    /// The server's address; by default the client's endpoint with the scheme ws or wss.
    public var url: URL?
    /// Carries the connections: by default URLSession on Apple platforms, libcurl elsewhere.
    public var transport: (any WebSocketTransport)?
    /// The protocol that the server supports.
    public var subprotocol = WebSocketSubprotocol.graphQLTransportWS
    /// Whether queries and mutations are sent over the web socket as well. Operations with uploads,
    /// with `@defer` or `@stream`, and mutations with an `idempotencyKey` are still sent over HTTP.
    public var carriesQueriesAndMutations = false
    /// With ``carriesQueriesAndMutations``, how long a connection stays open without an operation. It
    /// closes earlier if the client is released or another user's operation is sent.
    public var idleTimeout: Duration = .seconds(30)
    /// nil sends no payload.
    public var connectionPayload: PayloadProvider?
    /// The maximum time until the handshake is complete, including ``connectionPayload`` before it.
    public var connectTimeout: Duration? = .seconds(30)
    /// The maximum time from the end of the handshake until the server's `connection_ack`.
    public var acknowledgementTimeout: Duration = .seconds(10)
    /// The interval after which the client pings the server; nil for no pings. Only
    /// ``WebSocketSubprotocol/graphQLTransportWS`` has pings.
    public var pingInterval: Duration? = .seconds(30)
    /// If nothing arrives for this long after a ping, the connection is closed and opened again.
    public var pongTimeout: Duration = .seconds(10)

    public init() {}

    /// A connection for subscriptions only closes with the last one.
    var appliedIdleTimeout: Duration {
      carriesQueriesAndMutations ? max(idleTimeout, .zero) : .zero
    }
  }
}

extension Graph {
  /// The protocol between a client and a server over a web socket.
  public enum WebSocketSubprotocol: String, Sendable, CaseIterable {
    /// The current protocol (GraphQL over WebSocket).
    case graphQLTransportWS = "graphql-transport-ws"
    /// The older protocol of subscriptions-transport-ws, for servers that have no other. It has no
    /// pings: a server may send keep-alives, and ``WebSocketSettings/pingInterval`` has no effect.
    case graphQLWS = "graphql-ws"

    var hasPings: Bool { self == .graphQLTransportWS }
  }
}
