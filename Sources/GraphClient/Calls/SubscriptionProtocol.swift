extension Graph {
  /// The protocol for a subscription's events. The set is open.
  public struct SubscriptionProtocol: Sendable, Hashable, CustomStringConvertible {
    /// The kind of connection for the events.
    enum Connection: Hashable {
      case http(accept: String)
      case webSocket
    }

    let connection: Connection
    /// The name, for logs.
    public let description: String

    /// Server-sent events, one connection per subscription (GraphQL over server-sent events,
    /// distinct connections mode).
    public static let serverSentEvents = SubscriptionProtocol(
      connection: .http(accept: MediaType.eventStream), description: "serverSentEvents")
    /// `multipart/mixed` with a part per event.
    public static let multipart = SubscriptionProtocol(
      connection: .http(
        accept:
          "\(MediaType.multipartMixed);boundary=graphql;subscriptionSpec=1.0, \(MediaType.json)"),
      description: "multipart")
    /// One web socket for all of the client's subscriptions with the same credentials (GraphQL over
    /// WebSocket). ``ClientConfiguration/webSocket`` configures it. A subscription ends with
    /// `tooLarge` if its unread events exceed ``ClientConfiguration/maximumResponseBytes``.
    public static let webSocket = SubscriptionProtocol(
      connection: .webSocket, description: "webSocket")
  }
}
