import Foundation
import GraphClient
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

extension Graph {
  /// The activity of a ``LiveQuery`` or a ``LivePages``.
  public enum LivePhase: Hashable, Sendable {
    /// There is no request.
    case idle
    /// The first response is awaited, and there is no value yet; or a further page of a list is.
    case loading
    /// There is a value, and a newer response is awaited.
    case refreshing
    /// The last request has failed. An earlier value is kept.
    case failed(QueryError)

    /// Whether a response is awaited.
    public var isActive: Bool { self == .loading || self == .refreshing }

    /// Why the last request has failed.
    public var error: QueryError? {
      if case .failed(let error) = self { error } else { nil }
    }
  }
}

extension Graph {
  /// The source of the value of a ``LiveQuery`` or of the items of a ``LivePages``.
  public enum LiveSource: Hashable, Sendable {
    /// The server's response to this query, which arrived at the given time. Changes of the store that followed are
    /// included.
    case network(Date)
    /// The cache or the store. The date is when a response of the server last contained the oldest part, or up to
    /// a minute before; nil if that is unknown.
    case cache(Date?)

    /// When the server last sent the oldest part; nil if that is unknown.
    public var date: Date? {
      switch self {
      case .network(let date): date
      case .cache(let date): date
      }
    }
  }
}

extension Graph.LiveSource {
  /// A part of the cache or the store.
  ///
  /// - Parameter age: nil if it is unknown.
  init(age: Duration?, at now: Graph.Timestamp) {
    self = .cache(age.map { Date(timeIntervalSince1970: (now.wall - $0).inSeconds) })
  }

  /// The source of a response that has arrived.
  init<Root>(_ source: Graph.Response<Root>.Source, at now: Graph.Timestamp) {
    switch source {
    case .network: self = .network(Date(timeIntervalSince1970: now.wall.inSeconds))
    case .cache(let age): self.init(age: age, at: now)
    }
  }

  /// The source of two parts together: the cache if one of them is from there, and the older date.
  func combined(with other: Self) -> Self {
    switch (self, other) {
    case (.network(let date), .network(let otherDate)): .network(min(date, otherDate))
    default:
      if let date, let otherDate = other.date { .cache(min(date, otherDate)) } else { .cache(nil) }
    }
  }
}

extension Graph.CachePolicy {
  /// Whether a stored response is shown before the query is sent.
  var readsCacheFirst: Bool {
    switch kind {
    case .cacheOnly, .cacheFirst, .cacheAndNetwork: true
    case .networkOnly, .networkFirst: false
    }
  }

  /// Whether the query is sent even if there is a stored response.
  var alwaysSends: Bool {
    switch kind {
    case .networkOnly, .networkFirst, .cacheAndNetwork: true
    case .cacheOnly, .cacheFirst: false
    }
  }
}

extension Graph {
  /// A request of a live query or list, which ends with it.
  final class LiveRequest: Sendable {
    /// Distinguishes the requests of one object: the task of one cannot reference it.
    let number: Int
    let task: Task<Void, Never>

    init(_ number: Int, _ task: Task<Void, Never>) {
      self.number = number
      self.task = task
    }

    deinit { task.cancel() }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Waits for the end of the task, or until the calling task is cancelled. This task then continues.
  nonisolated(nonsending) func end() async {
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    Task<Void, Never> {
      await value
      continuation.finish()
    }
    // The stream also ends when the calling task is cancelled.
    for await _ in ends {}
  }
}

extension Graph {
  /// The requests that a live query or list sends by itself because its response is missing in the store.
  ///
  /// The store may be unable to keep the responses to two queries at once, such as the start of a list and its end. If
  /// both are observed, each response would cause a request for the other one, without end. So one request a minute
  /// is sent.
  struct MissingRequests {
    private static let interval = Duration.seconds(60)
    private var last: Timestamp?

    /// - Returns: whether a request may be sent now. It counts then.
    mutating func begin(at now: Timestamp) -> Bool {
      if let last, last.boot == now.boot, now.uptime - last.uptime < Self.interval { return false }
      last = now
      return true
    }
  }
}

#if canImport(SwiftUI)
  public import GraphQLRuntime
  public import SwiftUI

  extension Graph {
    /// A property of a view with the value of a live query.
    ///
    /// The query begins when the view appears, continues when the view is created again with other variables, and
    /// ends with the view. `$page` is the ``LiveQuery``, for its phase and its errors.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @propertyWrapper
    public struct Live<Root: GraphQL.ResponseRoot>: DynamicProperty {
      private let query: PreparedQuery<Root>
      private let client: Client?
      private let cachePolicy: CachePolicy
      @Environment(\.graphClient) private var environmentClient
      @State private var holder = LiveQueryHolder<Root>()

      /// - Parameters:
      ///   - client: nil for the one of the environment, which `environment(\.graphClient, client)` sets.
      ///   - cachePolicy: determines whether a stored response is shown first, and whether the query is sent.
      public init<Query: GraphQL.QueryRepresentable>(
        _ query: Query, in client: Client? = nil, cachePolicy: CachePolicy = .cacheAndNetwork
      ) where Query.Response == Root {
        self.query = PreparedQuery(query)
        self.client = client
        self.cachePolicy = cachePolicy
      }

      /// The newest response; nil while there is none.
      @MainActor public var wrappedValue: Root? { projectedValue.value }

      /// The live query. It can be read in the view's body.
      @MainActor public var projectedValue: LiveQuery<Root> {
        guard let live = holder.live else {
          preconditionFailure("a live query can be read in the body of its view only")
        }
        return live
      }

      // SwiftUI calls this on the main actor, before each evaluation of the view's body.
      public func update() {
        guard let client = client ?? environmentClient else {
          preconditionFailure(
            "there is no client: pass one, or set it with environment(\\.graphClient, client)")
        }
        let (holder, query, cachePolicy) = (holder, query, cachePolicy)
        MainActor.assumeIsolated { holder.show(query, in: client, cachePolicy) }
      }
    }
  }

  extension EnvironmentValues {
    private struct ClientKey: EnvironmentKey {
      static let defaultValue: Graph.Client? = nil
    }

    /// The client of the live queries in views.
    public var graphClient: Graph.Client? {
      get { self[ClientKey.self] }
      set { self[ClientKey.self] = newValue }
    }
  }
#endif

extension Graph {
  /// Keeps a live query between the updates of a view, which creates its query again in each of them.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  final class LiveQueryHolder<Root: GraphQL.ResponseRoot> {
    private(set) var live: LiveQuery<Root>?

    nonisolated init() {}

    /// Continues with a query; with another client, begins it.
    func show(_ query: PreparedQuery<Root>, in client: Client, _ cachePolicy: CachePolicy) {
      if let live, live.client === client, live.cachePolicy == cachePolicy {
        live.update(query)
      } else {
        live = LiveQuery(query, in: client, cachePolicy: cachePolicy)
      }
    }
  }

  /// A query that can be kept: the operation, or the problems of its builder.
  struct PreparedQuery<Response: GraphQL.ResponseRoot>: GraphQL.QueryRepresentable, Sendable {
    private let result: Result<GraphQL.Operation<Response>, GraphQL.InvalidQuery>

    init<Query: GraphQL.QueryRepresentable>(_ query: Query) where Query.Response == Response {
      do throws(GraphQL.InvalidQuery) {
        result = .success(try query.operation())
      } catch {
        result = .failure(error)
      }
    }

    func operation() throws(GraphQL.InvalidQuery) -> GraphQL.Operation<Response> {
      try result.get()
    }
  }
}
