import Foundation
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
