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
    /// Created with the first operation that does not use HTTP.
    let connections = Locked<(any OperationConnections)?>(nil)
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
    /// over a web socket are not delayed. The module GraphRateLimits has a limiter, `BudgetLimiter`.
    public var rateLimiter: (any RateLimiter)?
    /// How the costs of requests are estimated, in points of ``rateLimiter``. The module GraphRateLimits has the rules
    /// of services.
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
    /// The settings of GraphWebSocket; nil until they are set.
    package var connectionSettings: (any ConnectionSettings)?
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

extension Graph {
  /// The source of a client's header fields.
  enum HeaderSource: Sendable {
    case constant(Headers)
    case provider(Client.HeaderProvider)
  }
}

extension Graph.Client {
  /// The deadline of a call that starts now.
  ///
  /// - Parameter timeout: the call's own.
  func deadline(_ timeout: Duration?) -> Graph.Deadline? {
    (timeout ?? configuration.timeout).map { Graph.Deadline(after: $0, time: time) }
  }

  package func operation<Builder: GraphQL.OperationRepresentable>(
    of builder: Builder
  ) throws(Graph.QueryError) -> GraphQL.Operation<Builder.Response> {
    do { return try builder.operation() } catch { throw Graph.QueryError(error) }
  }

  /// The operation with every header field that belongs to it.
  ///
  /// - Parameter overHTTP: false leaves out the transport's fields, since a web socket does not use
  ///   the transport.
  /// - Throws: errors of the header provider or an interceptor; a ``Graph/TransportError`` with
  ///   `timedOut` if they take longer than ``Graph/ClientConfiguration/preparationTimeout`` or the
  ///   request's deadline allows.
  func prepare(
    _ request: Graph.OperationRequest, overHTTP: Bool = true
  ) async throws(Graph.QueryError) -> Graph.OperationRequest {
    do {
      return try await prepared(request, overHTTP: overHTTP)
    } catch {
      throw Graph.QueryError(error, of: request)
    }
  }

  private func prepared(
    _ request: Graph.OperationRequest, overHTTP: Bool
  ) async throws -> Graph.OperationRequest {
    let transportHeaders = overHTTP ? transportHeaders : [:]
    if case .constant(let headers) = headers, !pipeline.hasInterceptors {
      return try await pipeline.prepare(try completed(request, transportHeaders, headers))
    }
    return try await Graph.abandonable { giveUp in
      let deadline = request.deadline?.schedule {
        giveUp(
          Graph.TransportError.deadlineExceeded(
            "while its request was being prepared", bytesSent: false))
      }
      let limit = configuration.preparationTimeout.map { limit in
        time.schedule(after: limit) {
          giveUp(
            Graph.TransportError(
              .timedOut,
              message: "the header provider or an interceptor took longer than \(limit)"))
        }
      }
      return [deadline, limit].compactMap { $0 }
    } work: {
      let headers =
        switch self.headers {
        case .constant(let headers): headers
        case .provider(let provider): try await provider()
        }
      return try await self.pipeline.prepare(try self.completed(request, transportHeaders, headers))
    }
  }

  /// The transport's own fields, except those that the client sets for each request.
  private var transportHeaders: Graph.Headers {
    var headers = pipeline.exchange.transport.additionalHeaders
    guard !headers.fields.isEmpty else { return headers }
    headers["Accept"] = nil
    headers["Content-Type"] = nil
    return headers
  }

  private func completed(
    _ request: Graph.OperationRequest, _ transportHeaders: Graph.Headers,
    _ clientHeaders: Graph.Headers
  ) throws(Graph.QueryError) -> Graph.OperationRequest {
    var headers = transportHeaders
    headers.merge(clientHeaders)
    if let language = configuration.language, clientHeaders["Accept-Language"] == nil {
      headers["Accept-Language"] = language
    }
    headers.merge(request.headers)
    var request = request
    request.headers = headers
    if let identification = configuration.identification { request.add(identification) }
    return try configuration.trustedDocuments?.identified(request) ?? request
  }
}

extension Graph {
  /// The result of sending an operation once.
  package struct Attempt: Sendable {
    package let result: Result<Response<GraphQL.AbstractResponse>, QueryError>
    /// Whether a request was created at all: false if a header provider or an interceptor failed,
    /// or took too long, before that.
    package let wasPrepared: Bool
    /// The wait that the server requests.
    package let delay: Duration?
  }
}

extension Graph.Client {
  /// The pause that the host has requested from all clients of the process; nil if there is none. A
  /// request would be delayed until its end.
  package var pause: Duration? { pipeline.pause }

  /// Sends an operation once, for a caller with its own retry rules. The response is not passed to
  /// the store.
  ///
  /// - Parameters:
  ///   - headers: in addition to the client's own.
  ///   - timeout: the maximum duration, including preparation.
  ///   - isCurrent: called once the request has its token. If it returns false, another user may
  ///     have logged in, and nothing is sent.
  nonisolated(nonsending) package func attempt(
    _ operation: GraphQL.Operation<GraphQL.AbstractResponse>, headers: Graph.Headers = [:],
    timeout: Duration? = nil, isCurrent: @Sendable () -> Bool = { true }
  ) async -> Graph.Attempt {
    let observation = observation(of: operation)
    let request: Graph.OperationRequest
    do {
      request = try await prepare(
        Graph.OperationRequest(
          operation, headers: headers, timeout: configuration.attemptTimeout,
          deadline: deadline(timeout), observation: observation))
      guard isCurrent() else { throw Graph.QueryError.cancelled }
    } catch {
      let error = Graph.QueryError(error)
      observation?.end(.failed(error))
      return Graph.Attempt(result: .failure(error), wasPrepared: false, delay: nil)
    }
    let result: Result<Graph.OperationResponse, Graph.QueryError>
    do {
      result = .success(try await pipeline.response(to: request, repeats: false))
    } catch {
      result = .failure(Graph.QueryError(error, of: request))
    }
    var delay: Duration?
    if case .after(let requested) = Graph.RetryDecision(result, now: time.now) { delay = requested }
    let response = result.map {
      Graph.Response<GraphQL.AbstractResponse>($0.content, source: .network)
    }
    switch response {
    case .success(let response): observation?.deliver(response, isLast: true)
    case .failure(let error): observation?.end(.failed(error))
    }
    return Graph.Attempt(result: response, wasPrepared: true, delay: delay)
  }
}

extension Graph {
  /// A query that fills the cache or the store, and that waits while the client has more important requests.
  ///
  /// It continues when this object is released.
  public final class Prefetch: Sendable {
    private enum State {
      case waiting(@Sendable () async -> Void)
      case running(Task<Void, Never>)
      case ended
    }

    /// The prefetch that the current task sends.
    @TaskLocal static var current: Prefetch?

    private let priority: TaskPriority
    private let state: Locked<State>

    /// - Parameter work: nil for a prefetch that has ended.
    init(priority: TaskPriority, work: (@Sendable () async -> Void)?) {
      self.priority = priority
      state = Locked(work.map { .waiting($0) } ?? .ended)
    }

    /// Drops the query if it has not been sent, and cancels its request otherwise. Another call that has sent an equal
    /// query still gets its response.
    public func cancel() {
      let task = state.withLock { state -> Task<Void, Never>? in
        defer { state = .ended }
        return if case .running(let task) = state { task } else { nil }
      }
      task?.cancel()
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Gives the task that sends the query the priority of the current one, if that is higher.
    func raisePriority() {
      guard case .running(let task) = state.withLock({ $0 }) else { return }
      // A task that waits for another one raises its priority.
      Task { await task.value }
    }

    /// - Parameter onEnd: called at the end, also if the prefetch was cancelled before.
    func start(onEnd: @escaping @Sendable () -> Void) {
      let isStarted = state.withLock { state in
        guard case .waiting(let work) = state else { return false }
        state = .running(
          Task(priority: priority) { [self] in
            await Self.$current.withValue(self) { await work() }
            end()
            onEnd()
          })
        return true
      }
      if !isStarted { onEnd() }
    }

    private func end() { state.withLock { $0 = .ended } }
  }
}

extension Graph {
  /// The prefetches of a client, which start when it has few other requests.
  final class PrefetchQueue: Sendable {
    private struct State {
      /// The oldest first.
      var waiting: [Prefetch] = []
      var running: Set<ObjectIdentifier> = []
      var otherRequests = 0
    }

    private let policy: PrefetchPolicy
    private let state = Locked(State())

    /// The number of requests that are not prefetches.
    var otherRequestCount: Int { state.withLock { $0.otherRequests } }

    init(policy: PrefetchPolicy) { self.policy = policy }

    func add(_ prefetch: Prefetch) {
      let (started, dropped) = state.withLock { state in
        state.waiting.removeAll(where: \.hasEnded)
        state.waiting.append(prefetch)
        return (takeStartable(&state), takeExcess(&state))
      }
      for prefetch in dropped { prefetch.cancel() }
      start(started)
    }

    /// Another request of the client begins.
    func requestBegan() { state.withLock { $0.otherRequests += 1 } }

    /// Another request of the client has ended.
    func requestEnded() {
      start(
        state.withLock { state in
          state.otherRequests -= 1
          return takeStartable(&state)
        })
    }

    /// Another call waits for the response to a prefetch: from now on, it is one of the other requests.
    func promote(_ prefetch: Prefetch) {
      prefetch.raisePriority()
      start(
        state.withLock { state in
          guard state.running.remove(ObjectIdentifier(prefetch)) != nil else { return [] }
          state.otherRequests += 1
          return takeStartable(&state)
        })
    }

    /// Promotes a prefetch; nil for none.
    func promotion(of prefetch: Prefetch?) -> (@Sendable () -> Void)? {
      guard let prefetch else { return nil }
      return { [self] in promote(prefetch) }
    }

    /// Removes the prefetches that may start now from those that wait.
    private func takeStartable(_ state: inout State) -> [Prefetch] {
      guard state.otherRequests <= policy.maximumOtherRequests else { return [] }
      let count = max(0, min(policy.maximumRunning - state.running.count, state.waiting.count))
      defer { state.waiting.removeFirst(count) }
      let started = Array(state.waiting.prefix(count))
      state.running.formUnion(started.map { ObjectIdentifier($0) })
      return started
    }

    /// Removes the oldest of those that wait if there are too many.
    private func takeExcess(_ state: inout State) -> [Prefetch] {
      let count = max(0, state.waiting.count - max(0, policy.maximumWaiting))
      defer { state.waiting.removeFirst(count) }
      return Array(state.waiting.prefix(count))
    }

    private func start(_ prefetches: [Prefetch]) {
      for prefetch in prefetches {
        let id = ObjectIdentifier(prefetch)
        prefetch.start { [self] in
          start(
            state.withLock { state in
              if state.running.remove(id) == nil { state.otherRequests -= 1 }
              return takeStartable(&state)
            })
        }
      }
    }

  }
}
