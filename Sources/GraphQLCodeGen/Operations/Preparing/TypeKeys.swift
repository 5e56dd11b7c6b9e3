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
    var incomplete: Set<String> = []
    for case .object(let object) in schema.typesByName.values {
      let key = key(of: object)
      if !key.isEmpty { keys[object.name] = key }
      for interface in object.interfaces {
        keysOfObjects[interface.name, default: []].insert(key)
        if !has(key, of: object, interface.name) { incomplete.insert(interface.name) }
      }
    }
    for (name, keys) in keysOfObjects where !incomplete.contains(name) {
      if keys.count == 1, let key = keys.first { self.keys[name] = key }
    }
  }

  /// Whether an interface has the fields of an object's key. With another type, they could not be merged with those of
  /// the object.
  private func has(_ key: [String], of object: ObjectType, _ interface: String) -> Bool {
    let fields = schema.typesByName[interface]?.fields
    return key.allSatisfy { name in
      fields?[name].map { $0.type == object.fields[name]?.type } ?? false
    }
  }

  /// The fragments of those spreads that were added to documents.
  func fragments(addedBy spreads: [Document.FragmentSpread]) -> [KeyFragment] {
    let names = Set(spreads.lazy.filter { !$0.range.isKnown }.map(\.name))
    if names.isEmpty { return [] }
    let all = Set(keys.keys.flatMap(fragments(of:)))
    return all.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
  }

  /// The fragments with the key of an object type: its own, then those of its interfaces in alphabetical order.
  func fragments(of name: String) -> [KeyFragment] {
    guard case .object(let object)? = schema.typesByName[name] else { return [] }
    let key = self[name]
    let interfaces = object.interfaces.map(\.name).filter { has(key, of: object, $0) }
    return ([name] + interfaces.sorted()).map { KeyFragment(type: $0, fields: key) }
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
