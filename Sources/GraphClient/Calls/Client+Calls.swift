import GraphJSON
import GraphQLRuntime

extension Graph.Client {
  /// Gets the response to a query from the server, the cache or the store, depending on the policy.
  ///
  /// The operation is created from the builder first; later changes to the builder do not affect
  /// it.
  ///
  /// A query with `@defer` or `@stream` is sent as it is, and the service is asked for a whole response. Services that
  /// only send parts refuse it: use ``responses(to:cachePolicy:timeout:)``.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own by default.
  ///   - timeout: the maximum duration of the whole call: preparing the request, waiting for an
  ///     equal query, for the server's pause or before another attempt, sending. It replaces
  ///     ``Graph/ClientConfiguration/timeout``.
  /// - Throws: if there is no response. Errors that the server reports are part of a response.
  ///   After a timeout, the error's ``Graph/QueryError/transportError`` has the code `timedOut`.
  nonisolated(nonsending) public func query<Query: GraphQL.QueryRepresentable>(
    _ query: Query, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Query.Response> {
    try await fetch(
      operation(of: query), policy: cachePolicy ?? self.cachePolicy, timeout: timeout)
  }

  /// Sends a mutation. Its response is never used for a query; its objects are passed to the
  /// store.
  ///
  /// ```swift
  /// let cart = GraphQL.EntityKey(typeName: "Cart", key: cartID.rawValue)
  /// _ = try await client.mutate(mutation, optimistic: .update(cart, ["note": "Ring twice"]))
  /// ```
  ///
  /// - Parameters:
  ///   - optimistic: the expected effect of the mutation. Readers and observers of the client's store see it before
  ///     the request is sent. It ends with the response, which replaces it in the same notification, or with the
  ///     error.
  ///   - updates: the effect of the mutation on lists, and on other objects that are not in its response. It is
  ///     stored together with the response. If it cannot be, ``Graph/Response/storeError`` is the reason.
  ///   - idempotencyKey: sent as `Idempotency-Key`. Only with a key is a mutation with an unknown
  ///     outcome retried; the server must then respond to the second request as to the first.
  ///   - timeout: the maximum duration of the call, as for a query. After a timeout,
  ///     ``Graph/TransportError/bytesSent`` states whether the mutation may have been carried out.
  /// - Throws: if there is no response. Errors that the server reports are part of a response. `invalidChange` if
  ///   the client's store cannot show `optimistic`, or there is no such store; nothing was sent then.
  nonisolated(nonsending) public func mutate<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, optimistic: Graph.StoreChange = [],
    updates: (@Sendable (Mutation.Response) -> Graph.StoreChange)? = nil,
    idempotencyKey: String? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Mutation.Response> {
    try await perform(
      operation(of: mutation), idempotencyKey: idempotencyKey, timeout: timeout,
      mutation: Graph.MutationEffect(optimistic, updates))
  }

  /// The responses to a query that may have several: the cached one and the server's, or those of
  /// `@defer` and `@stream`. Nothing is sent before iteration begins.
  ///
  /// A query with `@defer` or `@stream` is sent once. The response cache does not keep its response; a
  /// store receives the objects and fields of each payload, and a list when all of it has arrived. If the
  /// server leaves out a deferred field without an error, the last response lacks it as well: `has(_:)` is false.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own by default.
  ///   - timeout: the maximum time until the server's response, or the head of one in several
  ///     parts, has arrived. Between the parts, ``Graph/ClientConfiguration/incrementalTimeout``
  ///     applies.
  public func responses<Query: GraphQL.QueryRepresentable>(
    to query: Query, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) -> Graph.ResponseStream<Query.Response> {
    Graph.ResponseStream(
      client: self,
      operation: Result { () throws(Graph.QueryError) in try operation(of: query) },
      policy: cachePolicy ?? self.cachePolicy, timeout: timeout)
  }

  /// The events of a subscription. Nothing is sent before iteration begins. `@defer` and `@stream` are
  /// not supported in subscriptions.
  ///
  /// ```swift
  /// let subscription = Storefront.buildSubscription { $0.orderUpdated(id: id) { $0.name() } }
  /// for try await event in client.subscribe(subscription) { print(event.errors) }
  /// ```
  ///
  /// - Parameter form: the protocol for the events.
  public func subscribe<Subscription: GraphQL.SubscriptionRepresentable>(
    _ subscription: Subscription, over form: Graph.SubscriptionProtocol = .serverSentEvents
  ) -> Graph.Subscription<Subscription.Response> {
    Graph.Subscription(
      client: self,
      operation: Result { () throws(Graph.QueryError) in try operation(of: subscription) },
      form: form)
  }

  /// Deletes every cached response, also on disk. Responses to requests in progress are not
  /// cached.
  public func purge() async throws {
    try await cache.purge()
  }
}

// Only for the compiler's messages: otherwise a root of the wrong kind would be reported as a
// missing conformance.
extension Graph.Client {
  @available(*, unavailable, message: "a mutation is sent with mutate(_:)")
  public func query<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Mutation.Response> {
    fatalError("unavailable")
  }

  @available(*, unavailable, message: "a subscription is started with subscribe(_:)")
  public func query<Subscription: GraphQL.SubscriptionRepresentable>(
    _ subscription: Subscription, cachePolicy: Graph.CachePolicy? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Subscription.Response> {
    fatalError("unavailable")
  }

  @available(*, unavailable, message: "a query is sent with query(_:)")
  public func mutate<Query: GraphQL.QueryRepresentable>(
    _ query: Query, idempotencyKey: String? = nil, timeout: Duration? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Query.Response> {
    fatalError("unavailable")
  }
}

extension Graph.Client {
  /// Fills the cache or the store with the response to a query that is probably needed soon, and returns at once.
  ///
  /// The query waits until the client has few other requests in progress, see
  /// ``Graph/ClientConfiguration/prefetching``. Nothing is sent if the policy finds a response in the cache then. A
  /// later call with an equal query shares the request if it is in progress, which from then on is one of the
  /// other requests. If too many prefetches wait, the oldest
  /// are dropped, and a logout drops those of the former user.
  ///
  /// Errors are not reported: a later call with the query reports its own.
  ///
  /// - Parameters:
  ///   - cachePolicy: by default, the query is sent if the cache has no response. With `cacheFirst(expireIn:)`, it is
  ///     also sent if the cached response is too old.
  ///   - priority: of the task that sends the query.
  /// - Returns: the prefetch, to cancel it.
  @discardableResult
  public func prefetch<Query: GraphQL.QueryRepresentable>(
    _ query: Query, cachePolicy: Graph.CachePolicy = .cacheFirst, priority: TaskPriority = .utility
  ) -> Graph.Prefetch {
    guard let operation = try? operation(of: query) else {
      return Graph.Prefetch(priority: priority, work: nil)
    }
    // The queue of the client keeps the work.
    let prefetch = Graph.Prefetch(priority: priority) {
      [weak self, generations, context = Graph.TraceContext.current] in
      guard let self, self.generations == generations else { return }
      // The end of another call, in the task of that call, may have started this one.
      await Graph.TraceContext.$current.withValue(context) {
        _ = try? await self.fetch(operation, policy: cachePolicy, timeout: nil)
      }
    }
    prefetches.add(prefetch)
    return prefetch
  }
}

extension Graph {
  /// A query in progress: takes the steps of its plan until one delivers a response.
  struct QueryExecution<Root: GraphQL.ResponseRoot>: Sendable {
    private let client: Client
    private let operation: GraphQL.Operation<Root>
    private let policy: CachePolicy
    private let results: FetchPlan.Results
    private let timeout: Duration?
    private var plan: FetchPlan
    private var outcome = FetchPlan.Outcome.begin
    /// The request until the next response is delivered.
    private var prepared: Prepared?
    /// The response to deliver.
    private var response: Response<Root>?
    private var networkError: QueryError?
    /// The client's number of stored responses when the cache was read.
    private var storeCount = 0
    /// The response that arrives in parts.
    private var payloads: IncrementalPayloads?
    /// nil before the first step, and if nothing observes the client.
    private var observation: CallObservation?

    private struct Prepared {
      let request: OperationRequest
      let generations: RequestGenerations
    }

    init(
      _ client: Client, _ operation: GraphQL.Operation<Root>, _ policy: CachePolicy,
      _ results: FetchPlan.Results, timeout: Duration?
    ) {
      self.client = client
      self.operation = operation
      self.policy = policy
      self.results = results
      self.timeout = timeout
      plan = FetchPlan(policy, results, clientPolicy: client.cachePolicy)
    }

    /// The next response; nil if the previous one was the last.
    nonisolated(nonsending) mutating func next() async throws(QueryError) -> (
      response: Response<Root>, isLast: Bool
    )? {
      if outcome == .begin { observation = client.observation(of: operation) }
      do {
        guard let next = try await step() else { return nil }
        observation?.deliver(next.response, isLast: next.isLast)
        return next
      } catch {
        observation?.end(.failed(error))
        throw error
      }
    }

    private nonisolated(nonsending) mutating func step() async throws(QueryError) -> (
      response: Response<Root>, isLast: Bool
    )? {
      do {
        while payloads == nil, let step = plan.step(after: outcome) {
          switch step {
          case .readCache: outcome = try await readCache()
          case .sendRequest(let unlessStored): outcome = try await send(unlessStored)
          case .deliver(_, let isLast):
            outcome = .delivered
            // The token may change until the caller requests the next response.
            prepared = nil
            return response.take().map { ($0, isLast) }
          case .fail:
            throw networkError ?? Self.cacheMiss
          }
        }
        guard let part = try await payloads?.next() else { return nil }
        return (Response(part.content, source: .network), part.isLast)
      } catch {
        throw QueryError(error, of: prepared?.request)
      }
    }

    /// The last response.
    ///
    /// - Parameter deliver: gets the responses before it.
    nonisolated(nonsending) mutating func last(
      deliver: (Response<Root>) -> Void = { _ in }
    ) async throws(QueryError) -> Response<Root> {
      while let (response, isLast) = try await next() {
        if isLast { return response }
        deliver(response)
      }
      throw .noData()
    }

    private nonisolated(nonsending) mutating func prepare() async throws -> Prepared {
      if let prepared { return prepared }
      let generations = client.generations
      let request = try await client.prepare(
        OperationRequest(
          operation, timeout: client.configuration.attemptTimeout,
          deadline: client.deadline(timeout), observation: observation))
      let prepared = Prepared(request: request, generations: generations)
      self.prepared = prepared
      return prepared
    }

    private nonisolated(nonsending) mutating func readCache() async throws -> FetchPlan.Outcome {
      let request = try await prepare().request
      storeCount = client.storeCount.withLock { $0 }
      guard
        let stored = await client.stored(
          operation, request, maximumAge: policy.expiry, networkError: networkError)
      else { return .notStored }
      response = stored
      return .stored(isComplete: stored.isComplete)
    }

    private nonisolated(nonsending) mutating func send(
      _ unlessStored: Bool
    ) async throws -> FetchPlan.Outcome {
      let prepared = try await prepare()
      do {
        if results == .incremental {
          try await open(prepared)
        } else {
          response = try await client.fetchFromNetwork(
            prepared.request, stores: plan.storesResponse, in: prepared.generations,
            terms: unlessStored ? LeaseTerms(maximumAge: policy.expiry) : nil
          ) { [client, storeCount] in
            unlessStored && client.storeCount.withLock { $0 != storeCount }
          }
        }
        return .response
      } catch is NotNeeded {
        return .storedByOtherCall
      } catch {
        let error = QueryError(error, of: prepared.request)
        networkError = error
        return .failed(isOutage: error.isOutage)
      }
    }

    /// Sends a query whose response may arrive in parts.
    private nonisolated(nonsending) mutating func open(_ prepared: Prepared) async throws {
      let generation = prepared.generations.store
      switch try await client.pipeline.open(
        prepared.request, accept: IncrementalPayloads.accept,
        idleTimeout: client.configuration.incrementalTimeout)
      {
      case .stream(let stream):
        payloads = IncrementalPayloads(
          stream, reader: prepared.request.operation.reader, client: client, generation: generation,
          observation: observation)
      case .response(let response):
        self.response = Response(
          await client.kept(response.content, in: generation, observation), source: .network)
      }
    }

    private static var cacheMiss: QueryError {
      QueryError(
        .cacheMiss,
        message: "the cache has no response to the query; other policies send a request")
    }
  }
}

extension Graph.Client {
  /// The response to a query according to its policy.
  func fetch<Root>(
    _ operation: GraphQL.Operation<Root>, policy: Graph.CachePolicy, timeout: Duration?
  ) async throws(Graph.QueryError) -> Graph.Response<Root> {
    var run = Graph.QueryExecution(self, operation, policy, .one, timeout: timeout)
    return try await run.last()
  }

  /// The last response to a query according to its policy, for a caller that must know which one is
  /// the last when it receives it. The query is sent as a whole, even with `@defer`.
  ///
  /// - Parameter deliver: gets the responses before the last.
  nonisolated(nonsending) package func lastResponse<Root>(
    to operation: GraphQL.Operation<Root>, policy: Graph.CachePolicy,
    deliver: (Graph.Response<Root>) -> Void
  ) async throws(Graph.QueryError) -> Graph.Response<Root> {
    var run = Graph.QueryExecution(self, operation, policy, .several, timeout: nil)
    return try await run.last(deliver: deliver)
  }
}

extension Graph {
  /// The responses to one query, one after another: each contains everything that has arrived so
  /// far.
  ///
  /// With ``CachePolicy/cacheAndNetwork`` the cached response comes first. If the query has
  /// `@defer` or `@stream` and the server streams, a response follows with each payload; `has(_:)`
  /// returns whether a deferred field has arrived. The request is sent when iteration begins.
  public struct ResponseStream<Root: GraphQL.ResponseRoot>: AsyncSequence, Sendable {
    public typealias Element = Response<Root>
    public typealias Failure = QueryError

    let client: Client
    let operation: Result<GraphQL.Operation<Root>, QueryError>
    let policy: CachePolicy
    let timeout: Duration?

    package init(
      client: Client, operation: Result<GraphQL.Operation<Root>, QueryError>, policy: CachePolicy,
      timeout: Duration?
    ) {
      self.client = client
      self.operation = operation
      self.policy = policy
      self.timeout = timeout
    }

    /// Whether the server may respond in several payloads.
    private var isIncremental: Bool {
      (try? operation.get().document.arrivesInParts) ?? false
    }

    public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// Yields responses until the last, or until an error.
    public struct Iterator: AsyncIteratorProtocol {
      /// nil after the last response, and after an error.
      private var run: Result<QueryExecution<Root>, QueryError>?

      init(source: ResponseStream) {
        run = source.operation.map { operation in
          QueryExecution(
            source.client, operation, source.policy,
            source.isIncremental ? .incremental : .several, timeout: source.timeout)
        }
      }

      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async throws(QueryError) -> Response<Root>? {
        guard var current = try run.take()?.get() else { return nil }
        guard let (response, isLast) = try await current.next() else { return nil }
        if !isLast { run = .success(current) }
        return response
      }

      public mutating func next() async throws(QueryError) -> Response<Root>? {
        try await next(isolation: nil)
      }
    }
  }
}

extension Graph {
  /// The response to a query with `@defer` or `@stream`, after each of its payloads.
  struct IncrementalPayloads: Sendable {
    private let client: Client
    private let reader: OperationReader
    private let generation: GraphQL.StoreGeneration?
    private let observation: CallObservation?
    private var stream: PayloadStream
    private var result = IncrementalResult()
    /// The size of all payloads.
    private var byteCount = 0

    /// The accepted types: `multipart/mixed` in the format v0.2 and in that of 2022, or one
    /// response. A server that supports only v0.2 rejects requests without `incrementalSpec=v0.2`.
    static let accept =
      [
        "\(MediaType.multipartMixed);incrementalSpec=v0.2",
        "\(MediaType.multipartMixed);deferSpec=20220824", MediaType.multipartMixed,
        MediaType.accept,
      ]
      .joined(separator: ", ")

    /// - Parameter generation: the store's when the request was created.
    init(
      _ stream: PayloadStream, reader: OperationReader, client: Client,
      generation: GraphQL.StoreGeneration?, observation: CallObservation?
    ) {
      self.stream = stream
      self.reader = reader
      self.client = client
      self.generation = generation
      self.observation = observation
    }

    /// The response so far, after the next payload; nil at the end of the stream.
    nonisolated(nonsending) mutating func next() async throws -> (
      content: CheckedResponse, isLast: Bool
    )? {
      while case .payload(let bytes) = try await stream.next() {
        byteCount += bytes.count
        guard byteCount <= client.configuration.maximumResponseBytes else {
          throw TransportError.responseTooLarge(client.configuration.maximumResponseBytes)
        }
        guard try result.add(Self.parse(bytes)) else { continue }
        let content = try await client.kept(snapshot(), in: generation, observation)
        return (content, !result.hasNext)
      }
      if !result.hasBegun { throw QueryError.noData(FailedResponse(status: nil, bytes: [])) }
      if result.hasNext {
        throw QueryError.violation("the response ended before the last of its payloads")
      }
      return nil
    }

    private static func parse(_ bytes: [UInt8]) throws(QueryError) -> JSON {
      do { return try JSON(parsing: bytes) } catch {
        throw QueryError(.invalidJSON(error), FailedResponse(status: nil, bytes: bytes))
      }
    }

    private func snapshot() throws(QueryError) -> CheckedResponse {
      let bytes = result.bytes
      do {
        return try observation.reading(bytes.count) { () throws(GraphQL.ResponseFailure) in
          try reader.read(bytes, result.context)
        }
      } catch {
        throw QueryError(error, FailedResponse(status: nil, bytes: bytes))
      }
    }
  }
}
