import GraphQLRuntime

extension GraphQL.SchemaTable {
  /// The object types of the elements of a list field, or of the nodes of a connection; nil for a field that
  /// is neither.
  package func elementTypeNames(
    ofField field: String, of typeName: String, isConnection: Bool
  ) -> Set<String>? {
    guard let info = type(named: typeName)?.field(field), let target = type(of: info) else {
      return nil
    }
    if isConnection { return nodeTypeNames(of: target) }
    let outer = info.type.wrapping.withoutNonNull
    guard outer.outermost == .list, outer.inner.isSingle else { return nil }
    return possibleTypes(of: target)
  }

  private func nodeTypeNames(of connection: GraphQL.TypeInfo) -> Set<String>? {
    let edge = connection.field("edges").flatMap(type(of:))
    let node = connection.field("nodes") ?? edge?.field("node")
    return node.flatMap(type(of:)).map(possibleTypes)
  }
}

extension GraphQL.Wrapping {
  fileprivate var withoutNonNull: GraphQL.Wrapping {
    outermost == .nonNull ? inner : self
  }
}
