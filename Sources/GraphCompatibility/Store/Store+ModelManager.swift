import GraphQLRuntime
import GraphStorage

extension Store: GraphQL.ModelManager {
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type
  ) async throws -> GraphQL.Record {
    try await write(json: json, as: type, mode: .upsert)
  }

  public func purge(_ type: GraphQL.AbstractResponse.Type, key: String) async throws {
    _ = try await performAndSave { try $0.delete(type, key: key) }
  }

  public func purge<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, where condition: @escaping @Sendable (Object) -> Bool
  ) async throws {
    _ = try await performAndSave { try $0.delete(type, where: condition) }
  }

  public func refresh<Object: GraphQL.AbstractResponse>(_ object: Object) throws -> Object? {
    try key(of: object).flatMap { try self.object(Object.self, key: $0.key) }
  }

  /// The key of an object of a response, or of the store; nil for one whose type has no key, or
  /// whose key fields were not selected.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func key<Object: GraphQL.AbstractResponse>(
    of object: Object
  ) throws(StoreError) -> GraphQL.EntityKey? {
    let policies = committed.policies
    let planner = policies.makePlanner()
    let (json, index) = object._stored
    return planner.plan(ofType: try policies.typeName(of: type(of: object)))?
      .key(of: json, at: index)
  }
}
