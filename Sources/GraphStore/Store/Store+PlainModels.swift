import Foundation
import GraphQLRuntime

extension Store {
  /// Stores a value of the program's own type, or a list of them; see
  /// ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: `EncodingError`; ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Model: Encodable>(
    model: Model, as type: GraphQL.AbstractResponse.Type, mode: JSONWriteMode = .upsert,
    mapping: JSONMapping = JSONMapping(), encoder: JSONEncoder = JSONEncoder()
  ) async throws -> GraphQL.Record {
    try await write(json: Array(encoder.encode(model)), as: type, mode: mode, mapping: mapping)
  }
}
