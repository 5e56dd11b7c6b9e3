import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph.SubscriptionProtocol {
  /// One web socket for all of the client's subscriptions with the same credentials (GraphQL over
  /// WebSocket). ``Graph/ClientConfiguration/webSocket`` configures it. A subscription ends with
  /// `tooLarge` if its unread events exceed the configuration's `maximumResponseBytes`.
  public static let webSocket = Graph.SubscriptionProtocol(
    over: Graph.WebSocketSettings(), description: "webSocket")
}

extension Graph.ClientConfiguration {
  /// The settings of subscriptions over ``Graph/SubscriptionProtocol/webSocket``.
  public var webSocket: Graph.WebSocketSettings {
    get { connectionSettings as? Graph.WebSocketSettings ?? Graph.WebSocketSettings() }
    set { connectionSettings = newValue }
  }
}

extension Graph.WebSocketSettings: Graph.ConnectionSettings {
  package var connectionName: String { "web socket" }

  package func connections(
    in context: Graph.ConnectionContext
  ) -> any Graph.OperationConnections {
    let connector = Graph.SocketConnector(
      url: url ?? context.endpoint, transport: transport ?? standardTransport(in: context),
      settings: self, time: context.time, observers: context.observers)
    return Graph.SocketPool(
      connector, retryPolicy: context.retryPolicy,
      maximumUnreadBytes: context.maximumResponseBytes)
  }

  /// Web sockets use the same route as the client's requests: the same proxy, the same authorities.
  private func standardTransport(
    in context: Graph.ConnectionContext
  ) -> any Graph.WebSocketTransport {
    #if canImport(Darwin)
      Graph.URLSessionWebSocketTransport(maximumMessageBytes: context.maximumResponseBytes)
    #else
      Graph.CurlWebSocketTransport(
        transport: context.transport as? Graph.CurlTransport ?? .shared,
        maximumMessageBytes: context.maximumResponseBytes)
    #endif
  }
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
