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
    /// The longest time that a call may take, whatever it is doing, all attempts and the waits between
    /// them included, unless the call states a `timeout` of its own. Of a stream it is the time until
    /// the stream is open. nil is no limit: each attempt has ``attemptTimeout``, and
    /// ``RetryPolicy`` limits the rest.
    public var timeout: Duration?
    /// The longest time from the sending of one attempt until its whole answer has been received; of
    /// an answer that streams, until its head has. nil is no limit.
    public var attemptTimeout: Duration? = .seconds(60)
    /// The longest time until an attempt has a connection, the secure one included. nil is no limit.
    /// URLSession does not tell connecting from waiting for an answer and does not keep to it.
    public var connectTimeout: Duration? = .seconds(30)
    /// The longest time in which nothing of an attempt is sent or received once it has a connection. nil
    /// is no limit. URLSession does not keep to it.
    public var idleTimeout: Duration?
    /// The longest time that the header provider and the interceptors may take to prepare a request, and
    /// that interceptors around an attempt may take beside the sending, at a stretch. A request that
    /// takes longer fails with `timedOut`. nil is no limit.
    public var preparationTimeout: Duration? = .seconds(30)
    /// A subscription over HTTP on which nothing arrives for so long, no sign of life either, counts as
    /// a lost connection and is made again. nil waits for ever; so it is unless stated, since not every
    /// server gives signs of life.
    public var streamTimeout: Duration?
    /// An answer with `@defer` or `@stream` of which nothing arrives for so long counts as a lost
    /// connection, and its stream ends with the error. nil waits for ever.
    public var incrementalTimeout: Duration? = .seconds(60)
    /// How subscriptions over ``SubscriptionProtocol/webSocket`` travel.
    public var webSocket = WebSocketSettings()
    /// The most bytes that an answer may have, decoded.
    public var maximumResponseBytes = Graph.defaultMaximumResponseBytes
    package var time: any TimeSource = SystemTime()

    public init() {}
  }
}
