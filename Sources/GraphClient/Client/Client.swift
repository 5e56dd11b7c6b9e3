import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Sends the operations of a generated module to one endpoint.
  ///
  /// ```swift
  /// let client = Graph.Client(endpoint: url, headers: ["X-Storefront-Token": token])
  /// let response = try await client.query(Storefront.buildQuery { $0.shop { $0.name() } })
  /// print(try response.requireData().shop.name)
  /// ```
  public final class Client: Sendable {
    /// Creates the header fields of each request, such as a token that changes.
    public typealias HeaderProvider = @Sendable () async throws -> Headers

    /// The address to which operations are sent.
    public let endpoint: URL
    /// Keeps every response, and returns the responses to queries if the policy allows that. A
    /// client with a store does not use ``ClientConfiguration/storage``.
    public let store: (any GraphQL.ResponseStore)?
    let configuration: ClientConfiguration
    package let time: any TimeSource
    /// nil if there are none.
    package let observers: Observers?
    let pipeline: Pipeline
    let cache: ResponseCache
    let sockets: SocketPool
    let prefetches: PrefetchQueue
    let inFlight = InFlight<InFlightKey, FetchedResponse>()
    /// The number of responses that the cache or the store has received.
    let storeCount = Locked(0)
    let headers: HeaderSource
    private let policy: Locked<CachePolicy>

    /// The policy of queries without one of their own.
    public var cachePolicy: CachePolicy {
      get { policy.withLock { $0 } }
      set { policy.withLock { $0 = newValue } }
    }

    /// A client with constant header fields.
    ///
    /// - Parameters:
    ///   - endpoint: an http or https address.
    ///   - headers: sent with each request; sending fails if a value contains CR, LF or NUL.
    ///   - transport: carries the requests. By default it is ``CurlTransport/shared`` on Linux and a
    ///     ``URLSessionTransport`` on Apple platforms.
    ///   - cachePolicy: for queries without one of their own.
    ///   - interceptors: in the order in which they receive a request.
    ///   - store: keeps the responses, as `Graph.Store` does; by default there is none.
    public convenience init(
      endpoint: URL, headers: Headers = [:], transport: (any Transport)? = nil,
      cachePolicy: CachePolicy = .networkOnly, interceptors: [any Interceptor] = [],
      store: (any GraphQL.ResponseStore)? = nil,
      configuration: ClientConfiguration = ClientConfiguration()
    ) {
      self.init(
        endpoint: endpoint, headers: .constant(headers),
        transport: transport ?? standardTransport(), cachePolicy: cachePolicy,
        interceptors: interceptors, store: store, configuration: configuration,
        throttle: .shared, time: configuration.time)
    }

    /// A client whose header fields are created for each request. If a provider takes longer than
    /// ``ClientConfiguration/preparationTimeout``, the request fails. The provider is cancelled and
    /// continues to run without the request.
    public convenience init(
      endpoint: URL, headers: @escaping HeaderProvider, transport: (any Transport)? = nil,
      cachePolicy: CachePolicy = .networkOnly, interceptors: [any Interceptor] = [],
      store: (any GraphQL.ResponseStore)? = nil,
      configuration: ClientConfiguration = ClientConfiguration()
    ) {
      self.init(
        endpoint: endpoint, headers: .provider(headers),
        transport: transport ?? standardTransport(),
        cachePolicy: cachePolicy, interceptors: interceptors, store: store,
        configuration: configuration, throttle: .shared, time: configuration.time)
    }

    init(
      endpoint: URL, headers: HeaderSource, transport: any Transport,
      cachePolicy: CachePolicy, interceptors: [any Interceptor],
      store: (any GraphQL.ResponseStore)? = nil,
      configuration: ClientConfiguration, throttle: HostThrottle,
      time: any TimeSource
    ) {
      self.endpoint = endpoint
      self.headers = headers
      self.store = store
      self.configuration = configuration
      self.time = time
      policy = Locked(cachePolicy)
      observers = Observers(configuration.observers, endpoint: endpoint, time: time)
      prefetches = PrefetchQueue(policy: configuration.prefetching)
      cache = ResponseCache(storage: configuration.storage, time: time)
      let exchange = HTTPExchange(
        endpoint: endpoint, transport: transport,
        maximumResponseBytes: configuration.maximumResponseBytes,
        connectTimeout: configuration.connectTimeout, idleTimeout: configuration.idleTimeout)
      sockets = SocketPool(
        endpoint: endpoint, configuration: configuration, transport: transport, time: time,
        observers: observers)
      pipeline = Pipeline(
        exchange: exchange, interceptors: interceptors, configuration: configuration,
        throttle: throttle,
        time: time)
    }
  }
}

extension Graph.Client: CustomStringConvertible, CustomReflectable {
  /// The endpoint without its query.
  public var description: String { "Graph.Client(\(endpoint.origin)\(endpoint.path))" }

  public var customMirror: Mirror { Mirror(self, children: ["client": description]) }
}

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

extension Graph {
  /// The name and version of an app, by which a service recognizes and counts the app's requests.
  ///
  /// They are sent as the header fields `apollographql-client-name` and
  /// `apollographql-client-version`, which Apollo's and other services read. `clientLibrary` in the
  /// request's `extensions` then names this library and its version.
  public struct ClientIdentification: Sendable, Hashable {
    /// The name, such as `com.example.shop-ios`. Not a secret.
    public var name: String
    /// The version, such as `4.2 (381)`; nil sends none. Not a secret.
    public var version: String?

    /// The name and version of an app.
    public init(name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }
}

extension Graph.OperationRequest {
  /// Adds the fields of an identification that the request does not have yet.
  mutating func add(_ identification: Graph.ClientIdentification) {
    let fields = [
      ("apollographql-client-name", identification.name),
      ("apollographql-client-version", identification.version),
    ]
    for case (let field, let value?) in fields where headers[field] == nil {
      headers[field] = value
    }
    if extensions["clientLibrary"] == nil {
      extensions["clientLibrary"] = [
        "name": "treeswift", "version": .string(Graph.libraryVersion),
      ]
    }
  }
}

extension Graph.Client {
  /// The observation of a call that begins now; nil if the client has no observers.
  func observation<Root>(of operation: GraphQL.Operation<Root>) -> Graph.CallObservation? {
    observers.map { Graph.CallObservation($0, name: operation.name, kind: operation.kind) }
  }
}

extension Graph.CallObservation {
  /// The caller receives a response.
  func deliver<Root>(_ response: Graph.Response<Root>, isLast: Bool) {
    let isCached = if case .cache = response.source { true } else { false }
    emit(
      .delivered(Graph.ObservedResponse(isCached: isCached, errorCount: response.errors.count)))
    if isLast { end(.completed) }
  }
}
