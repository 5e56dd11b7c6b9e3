import GraphQLRuntime

extension Graph {
  /// Reads responses to one operation without exposing their type.
  struct OperationReader: Sendable {
    /// Distinguishes operations of equal text whose responses are read as different types.
    let root: ObjectIdentifier
    private let readPart: Reading

    private typealias Reading =
      @Sendable (consuming [UInt8], GraphQL.ResponseContext) throws(GraphQL.ResponseFailure) ->
      CheckedResponse

    init<Root>(_ operation: GraphQL.Operation<Root>) {
      root = ObjectIdentifier(Root.self)
      readPart = { bytes, context throws(GraphQL.ResponseFailure) in
        let response = try operation.response(from: bytes, context)
        return CheckedResponse(
          data: response.data, errors: response.errors,
          extensions: response.extensions, isSensitive: { operation.isSensitive(response) },
          keep: { store, generation, effect in
            guard !effect.isNone, let store = store as? any GraphQL.OptimisticResponseStore else {
              return try await store.store(response, of: operation, in: generation)
            }
            try await store.store(
              response, of: operation, in: generation, applying: effect.updates,
              inPlaceOf: effect.expected)
          })
      }
    }

    /// - Parameter context: how much of the response has arrived.
    func read(
      _ bytes: consuming [UInt8], _ context: GraphQL.ResponseContext = .complete
    ) throws(GraphQL.ResponseFailure) -> CheckedResponse {
      try readPart(bytes, context)
    }
  }
}
