import GraphQLRuntime

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
