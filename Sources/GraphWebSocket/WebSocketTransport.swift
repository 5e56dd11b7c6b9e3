import GraphClient
import GraphQLRuntime

extension Graph {
  /// Opens web sockets (RFC 6455). Subscriptions over `graphql-transport-ws` need nothing else.
  ///
  /// A transport
  /// - returns when the handshake is complete and the server has chosen `subprotocol`;
  /// - reports failures as `TransportError`; a status other than 101 as `invalidResponse` with a
  ///   ``HandshakeRefusal`` underlying;
  /// - respects the timeout of the request until the handshake is complete;
  /// - ends at once with `cancelled` when the calling task is cancelled;
  /// - does not follow redirects, as it would have to repeat the request's credentials.
  public protocol WebSocketTransport: Sendable {
    /// - Parameter request: its method and body are not used; the schemes ws and http are
    ///   equivalent, and so are wss and https.
    func connect(
      _ request: HTTPRequest, subprotocol: String
    ) async throws -> any WebSocketConnection
  }

  /// An open web socket. One task receives at a time; any may send. It responds to pings by itself.
  ///
  /// Releasing the connection closes it.
  public protocol WebSocketConnection: Sendable {
    /// Sends a message, or queues it for sending.
    func send(_ message: WebSocketMessage) async throws

    /// The next message. A connection that the server has closed throws `connectionLost`, with a
    /// ``WebSocketClosure`` underlying if there was a close frame.
    func receive() async throws -> WebSocketMessage

    /// Starts the closing handshake and returns. A receiving task gets `cancelled`; a second call
    /// does nothing.
    ///
    /// - Parameters:
    ///   - code: 1000, or 3000 to 4999 (RFC 6455, section 7.4).
    ///   - reason: truncated to 123 bytes.
    func close(code: UInt16, reason: String)
  }

  /// A message, regardless of its frames (RFC 6455, section 5.6).
  public enum WebSocketMessage: Sendable, Hashable {
    case text(String)
    case binary([UInt8])
  }

  /// How a server closed a web socket (RFC 6455, section 7.1.5).
  public struct WebSocketClosure: Error, Sendable, Hashable, CustomStringConvertible {
    /// 1005 if the server sent none.
    public let code: UInt16
    /// For developers, as the server wrote it.
    public let reason: String

    /// A closure as a transport observed it.
    public init(code: UInt16, reason: String = "") {
      self.code = code
      self.reason = reason
    }

    public var description: String {
      reason.isEmpty ? "close code \(code)" : "close code \(code): \(reason)"
    }
  }

  /// A server's response to the handshake that is not 101 Switching Protocols.
  public struct HandshakeRefusal: Error, Sendable, CustomStringConvertible {
    /// The HTTP status instead of 101.
    public let status: Int
    /// The header fields of the refusal.
    public let headers: Headers

    /// A refusal as a transport observed it.
    public init(status: Int, headers: Headers) {
      self.status = status
      self.headers = headers
    }

    public var description: String { "HTTP status \(status)" }
  }
}

extension Graph.TransportError {
  /// The server has closed the web socket.
  static func closed(_ closure: Graph.WebSocketClosure) -> Graph.TransportError {
    Graph.TransportError(
      .connectionLost, message: "the server closed the connection with \(closure)",
      underlying: closure, bytesSent: true)
  }
}
