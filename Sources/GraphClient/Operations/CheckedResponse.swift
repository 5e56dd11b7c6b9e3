import GraphJSON
import GraphQLRuntime

extension Graph {
  /// A response that was read and checked against its operation.
  struct CheckedResponse: Sendable {
    let data: (any GraphQL.ResponseRoot)?
    let errors: [GraphQL.ResponseError]
    let extensions: JSON?
    /// Whether it contains sensitive objects. A closure, since it searches the whole response,
    /// which is only necessary before the response is stored.
    let isSensitive: @Sendable () -> Bool
    /// Passes the response to a store.
    var keep: Keeping = { _, _, _ in }
    /// Why the store has not kept the response.
    var storeError: (any Error)?

    typealias Keeping =
      @Sendable (any GraphQL.ResponseStore, GraphQL.StoreGeneration?, StoreEffect) async throws ->
      Void

    /// For an opened stream.
    static let none = CheckedResponse(
      data: nil, errors: [], extensions: nil, isSensitive: { false })
  }

  /// The effect of a mutation on a store in addition to the objects of its response.
  struct StoreEffect: Sendable {
    /// The expected change that the response replaces.
    var expected: GraphQL.OptimisticChangeID?
    var updates: Graph.StoreChange = []

    var isNone: Bool { expected == nil && updates.isEmpty }
  }
}
