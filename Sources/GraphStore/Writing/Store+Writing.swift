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
}
