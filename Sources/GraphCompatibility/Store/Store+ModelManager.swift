import GraphQLRuntime
import GraphStore

extension Graph.Store: GraphQL.ModelManager {
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type
  ) async throws -> Graph.WriteSummary {
    try await write(json: json, as: type, mode: .upsert)
  }

  public func purge(_ type: GraphQL.AbstractResponse.Type, key: String) async throws {
    try await write { try $0.delete(type, key: key) }
  }

  public func purge<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
  ) async throws {
    try await write { try $0.delete(type, where: condition) }
  }

  public func refresh<Object: GraphQL.AbstractResponse>(_ object: Object) throws -> Object? {
    try key(of: object).flatMap { try self.object(Object.self, key: $0.key) }
  }
}
