import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The web sockets of a client, one for each identity that is in use.
  final class SocketPool: OperationConnections {
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
    /// A query or mutation can use HTTP instead, and header fields that are different in every request
    /// do not lead to a connection for each of them at the same time.
    func send(
      _ request: OperationRequest, open: @escaping ConnectionOpener
    ) throws(QueryError) -> any OperationStream {
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
}
