import Dispatch
import GraphQLRuntime

extension Store {
  /// Stores the objects of a response; see ``Transaction/write(_:of:)``.
  ///
  /// When this returns, what was written is in the file.
  ///
  /// - Throws: ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>
  ) async throws -> GraphQL.Record {
    try await writer.perform { try $0.write(response, of: operation) }
  }

  /// Stores objects from JSON, off the caller's thread; see ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``; nothing was written then.
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: JSONWriteMode = .upsert,
    mapping: JSONMapping = JSONMapping()
  ) async throws -> GraphQL.Record {
    try await writer.perform { try $0.write(json: json, as: type, mode: mode, mapping: mapping) }
  }

  /// Stores objects from JSON and calls `completion` on the main queue.
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: JSONWriteMode = .upsert,
    mapping: JSONMapping = JSONMapping(),
    completion: @escaping @MainActor @Sendable (Result<GraphQL.Record, any Error>) -> Void
  ) {
    writer.perform {
      try $0.write(json: json, as: type, mode: mode, mapping: mapping)
    } completion: {
      result in
      DispatchQueue.main.async { completion(result) }
    }
  }
}
