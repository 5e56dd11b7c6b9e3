import GraphQLRuntime

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

    /// Whether the server may respond in several payloads.
    private var isIncremental: Bool {
      guard let document = try? operation.get().document else { return false }
      return document.contains("@defer") || document.contains("@stream")
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
