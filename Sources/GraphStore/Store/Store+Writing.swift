import GraphJSON
import GraphQLRuntime

extension Graph.Store {
  /// Runs `operation` on the background writer, in the order of the calls, and commits what it did.
  ///
  /// - Returns: the result of `operation`, after the commit. Only a Sendable value can be returned.
  /// - Throws: errors of `operation`; then all of its changes are undone.
  @discardableResult
  public func write<Result: Sendable>(
    _ operation: @escaping @Sendable (Graph.Transaction) throws -> Result
  ) async throws -> Result {
    try await writer.perform(operation)
  }

  /// A text up to this number of bytes is written in a few milliseconds.
  private static let shortWrite = 1 << 16

  /// Stores the objects of a response; see ``Transaction/write(_:of:)``.
  ///
  /// When this returns, the objects are in the file.
  ///
  /// - Throws: ``StoreError``; nothing was written then.
  @discardableResult
  public func write<Root>(
    _ response: GraphQL.Response<Root>, of operation: GraphQL.Operation<Root>
  ) async throws -> Graph.WriteSummary {
    let bytes = response.data.map { $0._stored.json.byteCount } ?? 0
    return try await write(ofBytes: bytes) { try $0.write(response, of: operation) }
  }

  private func write(
    ofBytes count: Int, _ body: @escaping @Sendable (Graph.Transaction) throws -> Graph.WriteSummary
  ) async throws -> Graph.WriteSummary {
    count <= Self.shortWrite && committed.policies.lists.isEmpty
      ? try await writer.performShort(body) : try await writer.perform(body)
  }

  /// Stores objects from JSON, off the caller's actor; see ``Transaction/write(json:as:mode:mapping:)``.
  ///
  /// - Throws: ``StoreError``; nothing was written then.
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping()
  ) async throws -> Graph.WriteSummary {
    // A deletion may be large, however short the JSON is.
    let isShort = mode == .upsert && mapping.lists.isEmpty
    return try await write(ofBytes: isShort ? json.count : .max) {
      try $0.write(json: json, as: type, mode: mode, mapping: mapping)
    }
  }
}
