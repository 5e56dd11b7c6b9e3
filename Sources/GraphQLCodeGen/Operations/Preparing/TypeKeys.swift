import GraphQLSchema

/// The fields that identify the objects of a type, as in the schema table.
struct TypeKeys {
  private let schema: SelectedSchema
  private let policies: [String: Located<TypePolicy>]
  /// The fields of the key of each object type, and of each interface whose objects have one key in common with fields
  /// that the interface has.
  private var keys: [String: [String]] = [:]

  init(schema: SelectedSchema, configuration: Configuration) {
    self.schema = schema
    policies = configuration.types
    var keysOfObjects: [String: Set<[String]>] = [:]
    for case .object(let object) in schema.typesByName.values {
      let key = key(of: object)
      if !key.isEmpty { keys[object.name] = key }
      for interface in object.interfaces { keysOfObjects[interface.name, default: []].insert(key) }
    }
    for (name, keys) in keysOfObjects {
      guard keys.count == 1, let key = keys.first, let fields = schema.typesByName[name]?.fields,
        key.allSatisfy(fields.contains)
      else { continue }
      self.keys[name] = key
    }
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

  /// The fields of the key of an object type, or of all objects of an interface; empty if there is none.
  subscript(type: String) -> [String] { keys[type] ?? [] }

  private func key(of object: ObjectType) -> [String] {
    policies[object.name]?.value.key ?? (object.hasDefaultKey ? ["id"] : [])
  }
}
