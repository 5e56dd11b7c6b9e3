import GraphQLSchema

extension NamedType {
  /// Names of the fields, of output and input types.
  var memberNames: [String] {
    if case .inputObject(let input) = self { return input.fields.elements.map(\.name) }
    return fields?.elements.map(\.name) ?? []
  }

  /// The type with some of its fields.
  func keepingFields(where isKept: (String) -> Bool) -> NamedType {
    switch self {
    case .object(var type):
      type.fields = NamedList(type.fields.elements.filter { isKept($0.name) })
      return .object(type)
    case .interface(var type):
      type.fields = NamedList(type.fields.elements.filter { isKept($0.name) })
      return .interface(type)
    case .inputObject(var type):
      type.fields = NamedList(type.fields.elements.filter { isKept($0.name) })
      return .inputObject(type)
    case .scalar, .union, .enum: return self
    }
  }
}
