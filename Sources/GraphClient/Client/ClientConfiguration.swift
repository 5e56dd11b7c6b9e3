extension Graph {
  /// What a client can be told beside its endpoint.
  public struct ClientConfiguration: Sendable {
    /// When failed operations are sent again.
    public var retryPolicy = RetryPolicy.standard
    /// Where responses are kept.
    public var storage: any ResponseStorage = .standard
    /// Whether documents are sent by their hash.
    public var persistedQueries = PersistedQueries.off
    /// Whether operations share requests. Operations in batches carry their documents.
    public var batching = BatchPolicy.off
    /// Whether equal queries that are on their way at the same time share an answer.
    public var sharesEqualQueries = true
    /// The language of the answers, sent as `Accept-Language` and part of the cache's key.
    public var language: String?
    /// The longest time until the whole answer to one attempt has been received.
    public var timeout: Duration? = .seconds(60)
    /// A streaming answer over HTTP on which nothing arrives for so long, no sign of life either,
    /// counts as a lost connection: a subscription is made again, other streams end with the error.
    /// nil waits for ever; so it is unless stated, since not every server gives signs of life.
    public var streamTimeout: Duration?
    /// How subscriptions over ``SubscriptionProtocol/webSocket`` travel.
    public var webSocket = WebSocketSettings()
    /// The most bytes that an answer may have, decoded.
    public var maximumResponseBytes = Graph.defaultMaximumResponseBytes
    package var time: any TimeSource = SystemTime()

    public init() {}
  }
}
