import Foundation
import GraphQLRuntime

extension Graph.Store {
  /// Stores a value of the program's own type, or a list of them; see
  /// ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: `EncodingError`; ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Model: Encodable>(
    model: Model, as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping(), encoder: JSONEncoder = JSONEncoder()
  ) async throws -> Graph.WriteSummary {
    try await write(json: Array(encoder.encode(model)), as: type, mode: mode, mapping: mapping)
  }
}
