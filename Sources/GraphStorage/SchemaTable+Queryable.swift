import GraphQLRuntime

extension GraphQL.SchemaTable {
  /// How the values of a field compare, given its path in the records of a type: `price.amount`.
  /// nil for a path that does not end at a leaf, passes through a list, or does not exist.
  package func leafKind(ofPath path: String, inType typeName: String) -> GraphQL.LeafKind? {
    var type = self.type(named: typeName)
    let names = path.split(separator: ".").map(String.init)
    for (position, name) in names.enumerated() {
      guard let field = type?.field(name), field.type.wrapping.isSingle else { return nil }
      if position == names.count - 1 { return GraphQL.LeafKind(field.named) }
      type = self.type(of: field)
    }
    return nil
  }
}

extension GraphQL.SchemaTable {
  /// The object types through which a path leads, without the one where it begins.
  package func entityTypeNames(along path: String, from typeName: String) -> Set<String> {
    var names: Set<String> = []
    var type = self.type(named: typeName)
    for name in path.split(separator: ".") {
      guard let field = type?.field(String(name)), let next = self.type(of: field) else { break }
      names.formUnion(possibleTypes(of: next))
      type = next
    }
    return names
  }
}

extension GraphQL.LeafKind {
  init?(_ type: GraphQL.NamedType) {
    switch type {
    case .int: self = .int
    case .float: self = .float
    case .boolean: self = .bool
    case .string, .id, .enumeration: self = .text
    case .scalar(let scalar?): self.init(scalar)
    case .scalar(nil), .composite, .input: return nil
    }
  }

  /// The kind as text, which is kept in files.
  package var name: String { rawValue }

  package init?(name: String) { self.init(rawValue: name) }
}
