import GraphQLRuntime

extension Store: GraphQL.ModelManager {
  @discardableResult
  public func write(
    json: [UInt8], as type: GraphQL.AbstractResponse.Type
  ) async throws -> GraphQL.Record {
    try await write(json: json, as: type, mode: .upsert)
  }

  /// The store's response to a query; nil if any of it is missing, or older than its type's
  /// ``TypePolicy/maximumAge`` or `maximumAge`. ``Storage/read(_:)`` lists the missing parts.
  public func answer<Root>(
    to operation: GraphQL.Operation<Root>, maximumAge: Duration?
  ) throws -> GraphQL.ModelAnswer<Root>? {
    try committed.withSnapshot { snapshot throws(StoreError) in
      let stored = try snapshot.read(operation)
      guard let data = stored.data,
        let age = try snapshot.age(of: stored.entities, maximumAge: maximumAge)
      else { return nil }
      return GraphQL.ModelAnswer(data: data, age: age, errors: stored.errors)
    }
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
