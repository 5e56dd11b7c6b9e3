import GraphQLSchema

extension SchemaFilter {
  /// Removes the types that no root type and no directive reaches.
  mutating func removeUnreached() {
    var members: [String: [String]] = [:]
    for (name, type) in types {
      for interface in type.interfaces?.elements ?? [] {
        members[interface.name, default: []].append(name)
      }
    }
    var reached: Set<String> = []
    var pending = Array(roots.values)
    pending += directives.flatMap { $0.arguments.elements.map(\.type.namedType) }
    while let name = pending.popLast() {
      guard let type = types[name], reached.insert(name).inserted else { continue }
      pending += type.references
      pending += members[name] ?? []
    }
    types = types.filter { reached.contains($0.key) }
  }
}

extension NamedType {
  /// Names of the types that the definition uses.
  fileprivate var references: [String] {
    switch self {
    case .scalar, .enum: []
    case .object, .interface:
      (interfaces?.elements ?? []).map(\.name)
        + (fields?.elements ?? []).flatMap { field in
          [field.type.namedType] + field.arguments.elements.map(\.type.namedType)
        }
    case .union(let union): union.members.elements.map(\.name)
    case .inputObject(let input): input.fields.elements.map(\.type.namedType)
    }
  }
}
