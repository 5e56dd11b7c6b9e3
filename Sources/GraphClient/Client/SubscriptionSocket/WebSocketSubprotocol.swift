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
