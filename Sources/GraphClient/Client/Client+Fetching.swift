import GraphQLRuntime

extension Graph {
  /// Whose answers may be kept. It is taken before the token is asked for: whoever logs in after that
  /// must not be given the answer.
  struct Generations: Hashable, Sendable {
    let cache: Int
    let models: GraphQL.ModelGeneration?
  }

  /// What must be equal for two queries to share an answer.
  struct InFlightKey: Hashable, Sendable {
    let document: String
    let name: String?
    let variables: [UInt8]
    let headers: Headers
    let root: ObjectIdentifier
    let stores: Bool
    let generations: Generations

    init(_ request: OperationRequest, stores: Bool, _ generations: Generations) {
      document = request.document
      name = request.name
      variables = request.variables
      headers = request.headers
      root = request.reader.root
      self.stores = stores
      self.generations = generations
    }
  }
}

extension Graph.Client {
  /// The answer to a query by its policy.
  ///
  /// - Parameter stores: whether the server's answer is stored; unless stated the policies say.
  func fetch<Root>(
    _ operation: GraphQL.Operation<Root>, policy: Graph.CachePolicy, timeout: Duration?,
    stores: Bool? = nil
  ) async throws(Graph.QueryError) -> Graph.Response<Root> {
    do {
      let generations = generations
      let request = try await prepare(
        Graph.OperationRequest(
          operation, timeout: configuration.attemptTimeout, deadline: deadline(timeout)))
      let stores = stores ?? self.stores(policy)
      while policy.kind == .cacheOnly || policy.kind == .cacheFirst {
        let count = storeCount.withLock { $0 }
        if let stored: Graph.Response<Root> = await stored(operation, request, policy) {
          return stored
        }
        guard policy.kind == .cacheFirst else {
          throw Graph.QueryError.other(
            Graph.Failure(.cacheMiss, message: "the cache has no answer to \(request)"))
        }
        // The answer to an equal query may have been stored since the cache was asked.
        do {
          return try await fetchFromNetwork(request, stores: stores, in: generations) {
            storeCount.withLock { $0 != count }
          }
        } catch is Graph.WorkNotNeeded {}
      }
      do {
        return try await fetchFromNetwork(request, stores: stores, in: generations)
      } catch {
        let error = Graph.QueryError(error)
        guard policy.kind == .networkFirst || policy.kind == .cacheAndNetwork, error.isOutage,
          let stored: Graph.Response<Root> = await stored(
            operation, request, policy, networkError: error)
        else { throw error }
        return stored
      }
    } catch {
      throw Graph.QueryError(error)
    }
  }

  var generations: Graph.Generations {
    Graph.Generations(cache: cache.currentGeneration, models: models?.generation)
  }

  /// The stored answer to a query that has been prepared.
  func stored<Root>(
    _ operation: GraphQL.Operation<Root>, _ request: Graph.OperationRequest,
    _ policy: Graph.CachePolicy, networkError: Graph.QueryError? = nil
  ) async -> Graph.Response<Root>? {
    guard request.uploads.isEmpty else { return nil }
    if let models { return await answer(of: models, to: operation, policy, networkError) }
    guard
      let found = await cache.response(
        for: Graph.CacheKey(request, endpoint: endpoint), policy: policy, reader: request.reader)
    else { return nil }
    return Graph.Response(
      found.content, source: .cache(age: found.age), networkError: networkError)
  }

  /// The server's answer to a query that has been prepared; equal ones share it.
  ///
  /// - Parameter mayBeStored: asked before the server is.
  /// - Throws: ``Graph/WorkNotNeeded`` when it has been true.
  private func fetchFromNetwork<Root>(
    _ request: Graph.OperationRequest, stores: Bool, in generations: Graph.Generations,
    unless mayBeStored: () -> Bool = { false }
  ) async throws -> Graph.Response<Root> {
    guard configuration.sharesEqualQueries, request.uploads.isEmpty else {
      return Graph.Response(
        try await fetch(request, stores: stores, in: generations), source: .network)
    }
    let key = Graph.InFlightKey(request, stores: stores, generations)
    let content = try await inFlight.value(
      for: key, until: request.deadline, unless: mayBeStored
    ) {
      try await fetch(request, stores: stores, in: generations)
    }
    return Graph.Response(content, source: .network)
  }

  /// Asks the server, and keeps the answer.
  private func fetch(
    _ request: Graph.OperationRequest, stores: Bool, in generations: Graph.Generations
  ) async throws -> Graph.OperationContent {
    let response = try await pipeline.response(to: request)
    defer { storeCount.withLock { $0 += 1 } }
    if models == nil, stores, request.uploads.isEmpty {
      let key = Graph.CacheKey(request, endpoint: endpoint)
      await cache.store(response, for: key, generation: generations.cache)
    }
    return await kept(response.content, in: generations.models)
  }

  /// Who never uses the cache does not pay for it.
  func stores(_ policy: Graph.CachePolicy) -> Bool {
    policy.readsCache || cachePolicy.readsCache
  }
}

extension Graph.QueryError {
  /// Whether the server could not be asked, or is in no state to answer.
  var isOutage: Bool {
    switch self {
    case .request: true
    case .http(let status, _): status >= 500 || status == 429
    case .noData, .jsonDeserializationFailed: true
    case .other(let failure): failure.code == .unexpectedContentType
    default: false
    }
  }
}
