import GraphQLSchema

/// The fields that identify the objects of a type, as in the schema table.
struct TypeKeys {
  private let schema: SelectedSchema
  private let policies: [String: Located<TypePolicy>]

  init(schema: SelectedSchema, configuration: Configuration) {
    self.schema = schema
    policies = configuration.types
  }

  /// For each name of a field in a key, the types that such fields have.
  var fieldTypes: [String: Set<String>] {
    var types: [String: Set<String>] = ["id": ["ID!"]]
    for (type, policy) in policies {
      for name in policy.value.key ?? [] {
        guard let field = schema.typesByName[type]?.fields?[name] else { continue }
        types[name, default: []].insert(field.type.description)
      }
    }
    return types
  }

  /// The fields of an object type's key; empty for other types and for objects without a key.
  subscript(type: String) -> [String] {
    guard case .object(let object)? = schema.typesByName[type] else { return [] }
    return policies[type]?.value.key ?? (object.hasDefaultKey ? ["id"] : [])
  }
}
