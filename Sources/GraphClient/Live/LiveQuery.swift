import GraphQLRuntime
import Observation

extension Graph {
  /// A query that stays alive: its ``value`` follows the client's store, and views that read it are notified through
  /// Observation.
  ///
  /// If the store has the response, it is there when the initialiser returns. The query is then sent if its policy
  /// requires that. Equal queries that are sent at the same time share one request, so two views of one query do not
  /// send it twice. A property changes only when its value does: a change of a field that the query does not select
  /// does not notify its observers.
  ///
  /// Without a store that can be observed, such as `Graph.Store`, the value is that of the last response.
  ///
  /// When the object is released, its request is cancelled.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor @Observable
  public final class LiveQuery<Root: GraphQL.ResponseRoot> {
    /// The newest response; nil while there is none, and after a logout.
    public internal(set) var value: Root?
    /// The errors that the server reported for parts of ``value``.
    public internal(set) var errors: [GraphQL.ResponseError] = []
    /// The query's activity, and why the last request has failed.
    public internal(set) var phase = LivePhase.idle
    /// Whether ``value``, or a part of it, was not confirmed by the server since the query began, since ``refetch()`` or
    /// since ``update(_:)``. After `update(_:)`, it may be the response to the earlier query.
    public internal(set) var isStale = false
    /// Where ``value`` comes from, and when; nil while there is none.
    public internal(set) var source: LiveSource?

    @ObservationIgnored let client: Client
    @ObservationIgnored let cachePolicy: CachePolicy
    /// nil if the builder has a problem.
    @ObservationIgnored var operation: GraphQL.Operation<Root>?
    /// The request that is running.
    @ObservationIgnored var request: LiveRequest?
    /// Whether the running request is sent even if there is a stored response.
    @ObservationIgnored var requestAlwaysSends = false
    @ObservationIgnored var requestCount = 0
    /// The observation of the store; nil while it is not followed.
    @ObservationIgnored var observation: (any Sendable)?
    /// The login whose data is shown.
    @ObservationIgnored var generation: GraphQL.StoreGeneration?
    /// The requests that are sent since part of the response is missing in the store.
    @ObservationIgnored var missingRequests = MissingRequests()

    /// Begins a query.
    ///
    /// - Parameter cachePolicy: determines whether a stored response is shown first, and whether the query is sent.
    ///   By default, both.
    public init<Query: GraphQL.QueryRepresentable>(
      _ query: Query, in client: Client, cachePolicy: CachePolicy = .cacheAndNetwork
    ) where Query.Response == Root {
      self.client = client
      self.cachePolicy = cachePolicy
      begin(query)
    }

    /// Sends the query, whatever the policy, and waits for its response. If it is being sent, waits for that.
    ///
    /// It returns when the calling task is cancelled, and the request continues. In a task that is already cancelled, it
    /// does nothing. An error is in ``phase``.
    public func refetch() async {
      if Task.isCancelled { return }
      if request == nil || !requestAlwaysSends {
        missingRequests = MissingRequests()
        show(isStale: value != nil)
        send(.networkFirst)
      }
      await request?.task.end()
    }

    /// Continues with another query, usually the same with other variables. The value is kept until there is one of
    /// the new query. Does nothing if the query is the same.
    public func update<Query: GraphQL.QueryRepresentable>(_ query: Query)
    where Query.Response == Root {
      begin(query)
    }

    private func begin<Query: GraphQL.QueryRepresentable>(_ query: Query)
    where Query.Response == Root {
      let new: GraphQL.Operation<Root>
      do throws(GraphQL.InvalidQuery) {
        new = try query.operation()
      } catch {
        stop()
        operation = nil
        enter(.failed(QueryError(error)))
        return
      }
      if let operation, operation.document == new.document, operation.variables == new.variables {
        return
      }
      stop()
      operation = new
      show(isStale: value != nil)
      enter(.idle)
      begin()
    }

    private func stop() {
      request = nil
      observation = nil
      missingRequests = MissingRequests()
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Graph.LiveQuery {
  private var store: (any GraphQL.ObservableResponseStore)? {
    client.store as? any GraphQL.ObservableResponseStore
  }

  /// Shows the stored response and sends the query, as the policy requires.
  func begin() {
    guard let operation else { return }
    checkLogin()
    if let store, cachePolicy.readsCacheFirst,
      let stored = try? store.currentResponse(to: operation, maximumAge: cachePolicy.expiry)
    {
      show(stored.data, stored.errors)
      show(isStale: true)
      source = Graph.LiveSource(age: stored.age, at: client.time.now)
      follow()
      if cachePolicy.kind == .cacheFirst, stored.errors.isEmpty { return }
    }
    if cachePolicy.kind != .cacheOnly {
      send(cachePolicy)
    } else if store == nil {
      send(.cacheOnly)
    } else {
      follow()
    }
  }

  /// Sends the query. A request that is running is cancelled.
  func send(_ policy: Graph.CachePolicy) {
    guard let operation else { return }
    checkLogin()
    enter(value == nil ? .loading : .refreshing)
    let responses = Graph.ResponseStream(
      client: client, operation: .success(operation), policy: policy, timeout: nil)
    requestAlwaysSends = policy.alwaysSends
    requestCount += 1
    let number = requestCount
    request = Graph.LiveRequest(
      number,
      Task { [weak self] in
        var failure: Graph.QueryError?
        do throws(Graph.QueryError) {
          var iterator = responses.makeAsyncIterator()
          while let response = try await iterator.next(isolation: #isolation) {
            guard let self, self.request?.number == number else { return }
            failure = self.receive(response)
          }
        } catch {
          failure = error
        }
        guard let self, self.request?.number == number else { return }
        self.request = nil
        self.enter(failure.map { $0.code == .cancelled ? .idle : .failed($0) } ?? .idle)
        // A stored response is not shown in place of the server's.
        if self.value != nil || self.cachePolicy.kind != .networkOnly { self.follow() }
      })
  }

  // A property is set only if its value changes, since each assignment notifies the observers.
  func enter(_ newPhase: Graph.LivePhase) {
    if phase != newPhase { phase = newPhase }
  }

  /// - Returns: the error if the server has sent no data, or could not be reached.
  private func receive(_ response: Graph.Response<Root>) -> Graph.QueryError? {
    checkLogin()
    // The response belongs to a user who has logged out.
    if response.storeError is GraphQL.StaleGeneration { return nil }
    guard let data = response.data else { return response.error }
    // The store's response contains changes that were not sent yet.
    let stored = operation.flatMap { operation in
      response.storeError == nil
        ? try? store?.currentResponse(to: operation, maximumAge: nil) : nil
    }
    let shown = stored?.data ?? data
    show(shown, stored?.errors ?? response.errors)
    let isOlder = response.isNewer(than: shown)
    show(isStale: response.source != .network || isOlder)
    source = isOlder ? .cache(nil) : Graph.LiveSource(response.source, at: client.time.now)
    return response.networkError
  }

  /// - Returns: whether the value has changed.
  @discardableResult
  private func show(_ data: Root, _ newErrors: [GraphQL.ResponseError]) -> Bool {
    let isChanged = value?._hasSameContent(as: data) != true
    if isChanged { value = data }
    if errors != newErrors { errors = newErrors }
    return isChanged
  }

  func show(isStale newValue: Bool) {
    if isStale != newValue { isStale = newValue }
  }

  // MARK: The store

  private func follow() {
    guard observation == nil, let operation, let store else { return }
    observation = store.observeResponse(to: operation) { [weak self] change in
      self?.receive(change, of: operation)
    }
  }

  private func receive(
    _ change: Result<GraphQL.StoredResponse<Root>?, any Error>,
    of observed: GraphQL.Operation<Root>
  ) {
    // A change of an earlier query may arrive late.
    guard observation != nil, let operation, operation.document == observed.document,
      operation.variables == observed.variables
    else { return }
    // The change may still contain the data of the former user.
    if checkLogin() { return }
    switch change {
    case .success(let stored?):
      guard show(stored.data, stored.errors) else { return }
      if case .network = source { return }
      // An observation does not have the age.
      let current = try? store?.currentResponse(to: operation, maximumAge: nil)
      source = Graph.LiveSource(age: current?.age, at: client.time.now)
    case .success(nil): receiveMissing()
    case .failure(let error):
      // The observation has ended; the next request begins another one.
      observation = nil
      enter(.failed(Graph.QueryError(error)))
    }
  }

  /// Removes the data of a user who has logged out, and cancels the request for it.
  ///
  /// - Returns: whether there was a logout.
  @discardableResult
  private func checkLogin() -> Bool {
    let current = store?.generation
    defer { generation = current }
    guard current != generation, generation != nil else { return false }
    request = nil
    if value != nil { value = nil }
    if !errors.isEmpty { errors = [] }
    if source != nil { source = nil }
    show(isStale: false)
    enter(.idle)
    return true
  }

  /// Part of the response is missing in the store, because of a logout, a deletion or an eviction.
  private func receiveMissing() {
    if value == nil { return }
    show(isStale: true)
    guard cachePolicy.kind != .cacheOnly, request == nil,
      missingRequests.begin(at: client.time.now)
    else { return }
    send(.networkFirst)
  }
}
