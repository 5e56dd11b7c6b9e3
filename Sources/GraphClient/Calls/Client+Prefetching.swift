import GraphQLRuntime

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
