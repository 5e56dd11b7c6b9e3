import GraphJSON

extension GraphQL.ResponseReading {
  /// The object with the values of a draft, for previews and tests. Reading a field that the draft does not have stops
  /// the program, as for a response; a `MockEndpoint` of GraphTesting can complete it.
  ///
  /// - Throws: ``GraphQL/SchemaViolation``: the first problem of the draft.
  public init(_ draft: GraphQL.Draft<Self>) throws(GraphQL.SchemaViolation) {
    self.init(
      _handle: try GraphQL.ResponseHandle(
        checking: .object(try draft.checked()), as: Self.self))
  }
}
