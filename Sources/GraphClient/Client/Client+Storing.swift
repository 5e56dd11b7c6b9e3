import GraphJSON
import GraphQLRuntime

extension Graph.Client {
  /// Passes a response of the server to the store, and returns when it has been stored, so that the
  /// caller finds its objects there. If it cannot be stored, the caller still gets the
  /// response.
  ///
  /// - Parameters:
  ///   - generation: the store's when the request was created.
  ///   - observation: of the call.
  ///   - effect: the effect of a mutation in addition to the objects of its response.
  func kept(
    _ content: Graph.CheckedResponse, in generation: GraphQL.StoreGeneration?,
    _ observation: Graph.CallObservation?, _ effect: Graph.StoreEffect = Graph.StoreEffect()
  ) async -> Graph.CheckedResponse {
    guard let store, content.data != nil else { return content }
    var content = content
    let start = observation?.uptime
    do {
      try await content.keep(store, generation, effect)
      observation?.emit(.stored(.stored), since: start)
    } catch {
      content.storeError = error
      observation?.emit(.stored(.failed(error)), since: start)
    }
    return content
  }
}

extension Graph.Response {
  /// Whether there is data, and no value of it is null because of an error.
  var isComplete: Bool { data.map { !$0.lacksValues(of: errors.map(\.path)) } ?? false }
}

extension GraphQL.ResponseRoot {
  /// Whether the value at one of the paths is null.
  fileprivate func lacksValues(of paths: [[GraphQL.ResponsePathElement]]) -> Bool {
    let (json, root) = _stored
    return paths.contains { path in
      var index = root
      for step in path {
        switch (step, json.kind(at: index)) {
        case (.key(let name), .object):
          guard let value = json.member(name, of: index) else { return true }
          index = value
        case (.index(let ordinal), .array):
          guard ordinal < json.count(at: index) else { return true }
          index = json.firstChild(of: index)
          for _ in 0..<ordinal { index = json.next(after: index) }
        default: return true
        }
      }
      return json.isNull(at: index)
    }
  }
}
