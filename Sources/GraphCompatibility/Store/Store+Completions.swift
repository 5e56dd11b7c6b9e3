import Dispatch
import GraphQLRuntime
import GraphStore

extension Store {
  /// Stores objects from JSON and calls `completion` on the main queue.
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: JSONWriteMode = .upsert,
    mapping: JSONMapping = JSONMapping(),
    completion: @escaping @MainActor @Sendable (Result<GraphQL.Record, any Error>) -> Void
  ) {
    perform {
      try $0.write(json: json, as: type, mode: mode, mapping: mapping)
    } completion: { result in
      DispatchQueue.main.async { completion(result) }
    }
  }
}
