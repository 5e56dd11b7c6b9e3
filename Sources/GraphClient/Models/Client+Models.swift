import GraphQLRuntime

extension Graph.Client {
  /// Hands an answer of the server to the model manager, and returns when it has been kept: who asked
  /// finds its objects there. That it could not be kept does not take the answer from them.
  ///
  /// - Parameter generation: the model manager's when the request was made.
  func kept(
    _ content: Graph.OperationContent, in generation: GraphQL.ModelGeneration?
  ) async -> Graph.OperationContent {
    guard let models, content.data != nil else { return content }
    var content = content
    do { try await content.keep(models, generation) } catch { content.modelError = error }
    return content
  }

  /// The model manager's answer to a query. One that cannot be given counts as none.
  func answer<Root>(
    of models: any GraphQL.ModelManager, to operation: GraphQL.Operation<Root>,
    _ policy: Graph.CachePolicy, _ networkError: Graph.QueryError?
  ) async -> Graph.Response<Root>? {
    guard let answer = try? await models.answer(to: operation, maximumAge: policy.expiry),
      // A field that an error kept from the answer may be there by now.
      policy.kind != .cacheFirst || answer.errors.isEmpty
    else { return nil }
    return Graph.Response(answer, networkError: networkError)
  }
}
