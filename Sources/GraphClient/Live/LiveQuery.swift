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
