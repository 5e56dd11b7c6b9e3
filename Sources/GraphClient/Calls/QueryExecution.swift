import GraphQLRuntime

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
          stream, reader: prepared.request.reader, client: client, generation: generation,
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
