import GraphQLRuntime

extension GraphQL.FieldPath {
  /// For each step whether its field is a list, according to the schema of `root`, where the path
  /// begins. A key path with an index into a list reads the same fields as one without.
  package func lists(from root: GraphQL.AbstractResponse.Type) -> [Bool] {
    guard let schema = root.schema else { return steps.map { _ in false } }
    var type = schema.type(of: root)
    return steps.map { step in
      guard let field = type?.field(step.name) else { return false }
      type =
        if case .composite(let position) = field.named { schema.type(at: position) } else { nil }
      let wrapping = field.type.wrapping
      return (wrapping.outermost == .nonNull ? wrapping.inner : wrapping).outermost == .list
    }
  }
}
