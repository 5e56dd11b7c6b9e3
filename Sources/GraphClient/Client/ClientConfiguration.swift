extension Graph {
  /// The options of a client other than its endpoint.
  public struct ClientConfiguration: Sendable {
    /// When failed operations are retried.
    public var retryPolicy = RetryPolicy.standard
    /// Delays requests so that the server does not have to refuse them; nil, the default, for no limit. Operations
    /// over a web socket are not delayed.
    public var rateLimiter: (any RateLimiter)?
    /// How the costs of requests are estimated, in points of ``rateLimiter``.
    public var costRules = CostRules.learned
    /// Stores responses.
    public var storage: any ResponseStorage = .standard
    /// Whether documents are sent by their hash.
    public var persistedQueries = PersistedQueries.off
    /// The documents that the service accepts; nil, the default, sends the text of every document. It takes
    /// precedence over ``persistedQueries``, of which only the choice of GET applies then.
    public var trustedDocuments: TrustedDocuments?
    /// Whether operations share requests. Operations in batches carry their documents.
    public var batching = BatchPolicy.off
    /// Whether equal queries that are in progress at the same time share a response.
    public var sharesEqualQueries = true
    /// When prefetches start, and how many may wait.
    public var prefetching = PrefetchPolicy()
    /// The observers of each call and its steps; none by default.
    public var observers: [any Observer] = []
    /// The app's name and version, sent with each request; nil, the default, sends none.
    public var identification: ClientIdentification?
    /// The language of the responses, sent as `Accept-Language` and part of the cache's key.
    public var language: String?
    /// The maximum duration of a call, including all attempts and the waits between them, unless
    /// the call has its own `timeout`. For a stream, the time until the stream is open. nil means
    /// no limit: each attempt has ``attemptTimeout``, and ``RetryPolicy`` limits the rest.
    public var timeout: Duration?
    /// The maximum time from sending one attempt until its whole response has been received; for a
    /// response that streams, until its head has. nil means no limit.
    public var attemptTimeout: Duration? = .seconds(60)
    /// The maximum time until an attempt has a connection, including TLS. nil means no limit.
    /// URLSession does not distinguish connecting from waiting for a response and ignores this
    /// limit.
    public var connectTimeout: Duration? = .seconds(30)
    /// The maximum idle time of an attempt once it has a connection. nil means no limit. URLSession
    /// ignores this limit.
    public var idleTimeout: Duration?
    /// The maximum time that the header provider and the interceptors may take to prepare a
    /// request, and that interceptors around an attempt may take without interruption, not
    /// counting the sending. A request that takes longer fails with `timedOut`. nil means no limit.
    public var preparationTimeout: Duration? = .seconds(30)
    /// If nothing arrives for this long on a subscription over HTTP, not even a keep-alive, the
    /// connection counts as lost and is opened again. nil, the default, means no limit, since not
    /// every server sends keep-alives.
    public var streamTimeout: Duration?
    /// If nothing arrives for this long on a response with `@defer` or `@stream`, the connection
    /// counts as lost, and its stream ends with the error. nil means no limit.
    public var incrementalTimeout: Duration? = .seconds(60)
    /// The settings of subscriptions over ``SubscriptionProtocol/webSocket``.
    public var webSocket = WebSocketSettings()
    /// The maximum number of bytes of a response, decoded. Over a web socket, it also limits the
    /// unread events of a subscription, which ends with `tooLarge` above it.
    public var maximumResponseBytes = Graph.defaultMaximumResponseBytes
    package var time: any TimeSource = SystemTime()

    public init() {}
  }
}
