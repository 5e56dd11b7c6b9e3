import GraphQLRuntime

extension Graph {
  /// Reads responses to one operation without exposing their type.
  struct OperationReader: Sendable {
    /// Distinguishes operations of equal text whose responses are read as different types.
    let root: ObjectIdentifier
    let read: @Sendable (consuming [UInt8]) throws(GraphQL.ResponseFailure) -> CheckedResponse

    init<Root>(_ operation: GraphQL.Operation<Root>) {
      root = ObjectIdentifier(Root.self)
      read = { bytes throws(GraphQL.ResponseFailure) in
        let response = try operation.response(from: bytes)
        return CheckedResponse(
          data: response.data, errors: response.errors,
          extensions: response.extensions, isSensitive: { operation.isSensitive(response) },
          keep: { store, generation in
            try await store.store(response, of: operation, in: generation)
          })
      }
    }
  }
}
