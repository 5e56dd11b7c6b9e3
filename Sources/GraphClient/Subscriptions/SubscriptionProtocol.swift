extension Graph {
  /// How a subscription's events travel. The set is open.
  public struct SubscriptionProtocol: Sendable, Hashable {
    let accept: String

    /// Server-sent events, one connection per subscription (GraphQL over server-sent events,
    /// distinct connections mode).
    public static let serverSentEvents = SubscriptionProtocol(accept: MediaType.eventStream)
    /// `multipart/mixed` with a part per event.
    public static let multipart = SubscriptionProtocol(
      accept: "\(MediaType.multipartMixed);boundary=graphql;subscriptionSpec=1.0, \(MediaType.json)"
    )
  }
}
