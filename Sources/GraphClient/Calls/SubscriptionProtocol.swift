extension Graph {
  /// The protocol for a subscription's events. The set is open.
  public struct SubscriptionProtocol: Sendable, Hashable {
    /// The kind of connection for the events.
    enum Carrier: Hashable {
      case http(accept: String)
      case webSocket
    }

    let carrier: Carrier

    /// Server-sent events, one connection per subscription (GraphQL over server-sent events,
    /// distinct connections mode).
    public static let serverSentEvents = SubscriptionProtocol(
      carrier: .http(accept: MediaType.eventStream))
    /// `multipart/mixed` with a part per event.
    public static let multipart = SubscriptionProtocol(
      carrier: .http(
        accept:
          "\(MediaType.multipartMixed);boundary=graphql;subscriptionSpec=1.0, \(MediaType.json)"))
    /// `graphql-transport-ws` over one web socket for all of the client's subscriptions (GraphQL
    /// over WebSocket). ``ClientConfiguration/webSocket`` configures it.
    public static let webSocket = SubscriptionProtocol(carrier: .webSocket)
  }
}
