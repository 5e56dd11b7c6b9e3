import GraphJSON
import GraphQLRuntime

extension Store {
  /// The object of a type with a key; nil when the store has none.
  ///
  /// It has the fields that were ever stored for it; ask `has(_:)` before you read one that may not
  /// have been. Links to other objects are followed as they are stored when they are first read.
  ///
  /// - Parameters:
  ///   - type: a generated class that stands for an object type.
  ///   - key: the value of the type's key field; see ``GraphQLRuntime/GraphQL/EntityKey/key``.
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func object<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, key: String
  ) throws(StoreError) -> Object? {
    let key = try policies.key(type, key)
    return try record(key).map { view($0, key) }
  }

  /// The object of a type with that ID; see ``object(_:key:)``.
  public func object<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, id: GraphQL.ID
  ) throws(StoreError) -> Object? {
    try object(type, key: id.rawValue)
  }

  /// The objects with those keys, nil in the place of each that the store does not have. They are
  /// of one moment.
  public func objects<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, keys: [String]
  ) throws(StoreError) -> [Object?] {
    let typeName = try policies.typeName(of: type)
    return try withSnapshot { snapshot throws(StoreError) in
      var objects: [Object?] = []
      objects.reserveCapacity(keys.count)
      for key in keys {
        let key = GraphQL.EntityKey(typeName: typeName, key: key)
        objects.append(try snapshot.record(key).map { view($0, key) })
      }
      return objects
    }
  }

  /// How many objects of a type there are.
  public func count<Object: GraphQL.AbstractResponse>(
    of type: Object.Type
  ) throws(StoreError) -> Int {
    let name = try policies.typeName(of: type)
    return try withSnapshot { snapshot throws(StoreError) in try snapshot.count(ofType: name) }
  }

  /// How many objects there are of each type that has any.
  public func counts() throws(StoreError) -> [String: Int] {
    try withSnapshot { snapshot throws(StoreError) in try snapshot.counts() }
  }

  /// The answer to a query, put together from what is stored at one moment; or what is missing.
  ///
  /// - Parameter operation: a query that was built with the store's schema.
  /// - Throws: ``StoreError``, in particular `wrongSchema`.
  public func read<Root>(
    _ operation: GraphQL.Operation<Root>
  ) throws(StoreError) -> StoredResponse<Root> {
    try withSnapshot { snapshot throws(StoreError) in try snapshot.read(operation) }
  }

  func view<Object: GraphQL.AbstractResponse>(
    _ record: JSONDocument, _ key: GraphQL.EntityKey
  ) -> Object {
    Object._stored(
      record.fitted(to: policies.schema, typeName: key.typeName),
      // A link whose target cannot be read leads to an object with its key alone.
      links: StoredGraph(policies: policies) { [self] key in try? self.record(key) })
  }
}
