import Foundation
import GraphJSON

extension Graph {
  /// How subscriptions travel over a web socket (GraphQL over WebSocket, `graphql-transport-ws`).
  public struct WebSocketSettings: Sendable {
    /// Makes the payload of `connection_init`, where many servers want the token. It is called for
    /// each connection, with the header fields of its handshake as the interceptors completed them.
    public typealias PayloadProvider = @Sendable (Headers) async throws -> JSONObject?

    /// Where the server listens; the client's endpoint with the scheme ws or wss unless stated.
    public var url: URL?
    /// Carries the connections: URLSession on Apple platforms, libcurl elsewhere unless stated.
    public var transport: (any WebSocketTransport)?
    /// nil sends no payload.
    public var connectionPayload: PayloadProvider?
    /// The longest time until the handshake is complete, and before it for ``connectionPayload``.
    public var connectTimeout: Duration? = .seconds(30)
    /// The longest time from there until the server's `connection_ack`.
    public var acknowledgementTimeout: Duration = .seconds(10)
    /// After so much time the client asks whether the server is still there; nil never does.
    public var pingInterval: Duration? = .seconds(30)
    /// A connection on which nothing comes for so long after a ping is given up and made again.
    public var pongTimeout: Duration = .seconds(10)

    public init() {}
  }
}

extension Graph.Failure.Code {
  /// The server does not accept the client's credentials for a web socket.
  public static let unauthenticated = Graph.Failure.Code("unauthenticated")
}
