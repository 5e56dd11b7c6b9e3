import GraphJSON
public import GraphQLRuntime

extension Fixtures {
  /// Adds an object to the list of all objects of its type. Fields that the draft does not have are generated.
  ///
  /// - Throws: `GraphQL.SchemaViolation`: the first problem of the draft.
  public mutating func append<Object>(
    _ draft: GraphQL.Draft<Object>
  ) throws(GraphQL.SchemaViolation) {
    objects[draft.typeName, default: []].append(try draft.checked())
  }

  /// Gives all objects of a type the values of a draft: for types with one object, such as the root of queries.
  ///
  /// - Throws: `GraphQL.SchemaViolation`: the first problem of the draft.
  public mutating func share<Object>(
    _ draft: GraphQL.Draft<Object>
  ) throws(GraphQL.SchemaViolation) {
    values[draft.typeName] = .object(try draft.checked())
  }
}
