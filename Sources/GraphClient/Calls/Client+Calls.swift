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
