import GraphQLRuntime

extension Graph.Client {
  /// The observation of a call that begins now; nil if the client has no observers.
  func observation<Root>(of operation: GraphQL.Operation<Root>) -> Graph.CallObservation? {
    observers.map { Graph.CallObservation($0, name: operation.name, kind: operation.kind) }
  }
}

extension Graph.CallObservation {
  /// The caller receives a response.
  func deliver<Root>(_ response: Graph.Response<Root>, isLast: Bool) {
    let isCached = if case .cache = response.source { true } else { false }
    emit(
      .delivered(Graph.ObservedResponse(isCached: isCached, errorCount: response.errors.count)))
    if isLast { end(.completed) }
  }
}
