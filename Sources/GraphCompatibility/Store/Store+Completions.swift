import Dispatch
import GraphQLRuntime
import GraphStore

extension Graph.Store {
  /// Stores objects from JSON and calls `completion` on the main queue.
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping(),
    completion: @escaping @MainActor @Sendable (Result<Graph.WriteSummary, any Error>) -> Void
  ) {
    perform {
      try $0.write(json: json, as: type, mode: mode, mapping: mapping)
    } completion: { result in
      DispatchQueue.main.async { completion(result) }
    }
  }
}
