import GraphClient
import GraphQLRuntime

extension Graph.Client {
  /// The arguments of a completion handler, which can be both data and an error.
  public typealias QueryCompletion<Root: GraphQL.ResponseRoot> =
    @MainActor @Sendable (Root?, Graph.LegacyQueryError?) -> Void

  /// A task that gets the response from the server, or from the cache if the policy allows it, when
  /// it is resumed.
  ///
  /// - Parameters:
  ///   - cachePolicy: the client's own by default. With a `retryHandler` it is
  ///     `networkOnly`.
  ///   - retryHandler: repeats the query while its condition is true. The client's retry policy does
  ///     not apply then: the handler alone determines the number of requests.
  ///   - completionHandler: called on the main queue.
  public func queryGraphWith<Query: GraphQL.QueryRepresentable>(
    _ query: Query, cachePolicy: Graph.CachePolicy? = nil,
    retryHandler: Graph.RetryHandler<Query.Response>? = nil,
    completionHandler: @escaping QueryCompletion<Query.Response>
  ) -> Graph.GraphTask {
    let frozen = Result { () throws(Graph.QueryError) in try operation(of: query) }
    return makeTask(frozen, completionHandler) { client, operation, completion in
      if let retryHandler {
        return await client.poll(retryHandler) { () throws(Graph.QueryError) in
          try await client.perform(
            operation, idempotencyKey: nil, timeout: nil, repeats: false)
        }
      }
      let policy = cachePolicy ?? client.cachePolicy
      return await Result.catching { () async throws(Graph.QueryError) in
        try await client.lastResponse(to: operation, policy: policy) { completion.deliver($0) }
      }
    }
  }

  /// A task that sends a mutation when it is resumed. The response is never stored.
  ///
  /// - Parameters:
  ///   - idempotencyKey: sent as `Idempotency-Key`. Only with a key is a mutation with an unknown
  ///     outcome retried; the server must then respond to the second request as to the first.
  ///   - retryHandler: repeats the mutation while its condition is true. The client's retry policy
  ///     does not apply then.
  ///   - completionHandler: called on the main queue.
  public func mutateGraphWith<Mutation: GraphQL.MutationRepresentable>(
    _ mutation: Mutation, idempotencyKey: String? = nil,
    retryHandler: Graph.RetryHandler<Mutation.Response>? = nil,
    completionHandler: @escaping QueryCompletion<Mutation.Response>
  ) -> Graph.GraphTask {
    let frozen = Result { () throws(Graph.QueryError) in try operation(of: mutation) }
    return makeTask(frozen, completionHandler) { client, operation, _ in
      let attempt = { () async throws(Graph.QueryError) in
        try await client.perform(
          operation, idempotencyKey: idempotencyKey, timeout: nil, repeats: retryHandler == nil)
      }
      guard let retryHandler else { return await Result.catching(attempt) }
      return await client.poll(retryHandler, attempt)
    }
  }

  private typealias Outcome<Root: GraphQL.ResponseRoot> =
    Result<Graph.Response<Root>, Graph.QueryError>

  private func makeTask<Root>(
    _ frozen: Result<GraphQL.Operation<Root>, Graph.QueryError>,
    _ completionHandler: @escaping QueryCompletion<Root>,
    _ work:
      @escaping @Sendable (Graph.Client, GraphQL.Operation<Root>, Graph.Completion<Root>) async ->
      Outcome<Root>
  ) -> Graph.GraphTask {
    let completion = Graph.Completion(completionHandler)
    let name = if case .success(let operation) = frozen { operation.title } else { "operation" }
    return Graph.GraphTask(name: "the task of \(name)") {
      switch frozen {
      case .success(let operation):
        completion.finish(await work(self, operation, completion))
      case .failure(let error): completion.finish(.failure(error))
      }
    } onCancel: {
      completion.cancel()
    }
  }

  /// Repeats `attempt` as the handler requires; the last outcome counts.
  private func poll<Root>(
    _ handler: Graph.RetryHandler<Root>,
    _ attempt: () async throws(Graph.QueryError) -> Graph.Response<Root>
  ) async -> Outcome<Root> {
    var handler = handler
    while true {
      let outcome = await Outcome<Root>.catching(attempt)
      let (data, error): (Root?, Graph.QueryError?) =
        switch outcome {
        case .success(let response): (response.data, response.error)
        case .failure(let error): (nil, error)
        }
      if error?.code == .cancelled { return outcome }
      guard let delay = handler.delayBeforeRetry(data, error.map(Graph.LegacyQueryError.init))
      else { return outcome }
      guard (try? await time.sleep(for: delay)) != nil else { return .failure(.cancelled) }
    }
  }
}

extension Result where Failure == Graph.QueryError {
  fileprivate static func catching(
    _ body: () async throws(Graph.QueryError) -> Success
  ) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}

extension GraphQL.Operation {
  fileprivate var title: String { "\(kind.rawValue) \(name ?? "(anonymous)")" }
}
