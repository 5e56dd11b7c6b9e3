import Foundation
import GraphJSON

extension Graph {
  /// The settings of subscriptions over a web socket (GraphQL over WebSocket,
  /// `graphql-transport-ws`).
  public struct WebSocketSettings: Sendable {
    /// Creates the payload of `connection_init`, in which many servers expect the token. It is
    /// called for each connection, with the header fields of its handshake as the interceptors
    /// completed them.
    public typealias PayloadProvider = @Sendable (Headers) async throws -> JSON.Object?

    /// The server's address; by default the client's endpoint with the scheme ws or wss.
    public var url: URL?
    /// Carries the connections: by default URLSession on Apple platforms, libcurl elsewhere.
    public var transport: (any WebSocketTransport)?
    /// nil sends no payload.
    public var connectionPayload: PayloadProvider?
    /// The maximum time until the handshake is complete, including ``connectionPayload`` before it.
    public var connectTimeout: Duration? = .seconds(30)
    /// The maximum time from the end of the handshake until the server's `connection_ack`.
    public var acknowledgementTimeout: Duration = .seconds(10)
    /// The interval after which the client pings the server; nil for no pings.
    public var pingInterval: Duration? = .seconds(30)
    /// If nothing arrives for this long after a ping, the connection is closed and opened again.
    public var pongTimeout: Duration = .seconds(10)

    public init() {}
  }
}
