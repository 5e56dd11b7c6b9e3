import GraphQLRuntime

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
