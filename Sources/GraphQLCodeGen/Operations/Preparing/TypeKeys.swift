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

/// How a selection set of an interface or union gets the keys of its objects.
struct KeyPlan {
  /// Fragments that are added to the set.
  var fragments: [KeyFragment] = []
  /// Objects whose key is added to a type condition of the set.
  var conditioned: Set<String> = []
  /// Objects whose key is not added, since too many fragments would be needed, in the order of the schema.
  var omitted: [String] = []
  /// Fragments that cannot be added, since another field has the name of a key.
  var hidden: [Hidden] = []
  /// The objects that lack a key because of that.
  var hiddenObjects: Set<String> = []

  struct Hidden {
    let fragment: KeyFragment
    let key: String
    let field: Document.Field
  }

  /// Whether the completed set has the key of an object of its type.
  func completes(_ object: String) -> Bool {
    !hiddenObjects.contains(object) && !omitted.contains(object)
  }
}

/// The fewest fragments that have the keys of some objects.
struct KeyCover {
  /// For each object, the fragments that have its key; its own is the first one.
  private let fragments: [String: [KeyFragment]]

  /// The most fragments that are added to one set. Each makes requests longer.
  static let mostFragments = 4

  init(of objects: [String], _ keys: TypeKeys) {
    fragments = Dictionary(
      objects.map { ($0, keys.fragments(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: nil if more fragments are needed than may be added.
  func smallest(of objects: [String]) -> [KeyFragment]? {
    for count in 0...Self.mostFragments {
      if let found = cover(of: objects, count) { return found }
    }
    return nil
  }

  private func cover(of objects: [String], _ count: Int) -> [KeyFragment]? {
    guard let first = objects.first else { return [] }
    guard count > 0 else { return nil }
    for (fragment, others) in choices(for: first, objects) {
      if let rest = cover(of: others, count - 1) { return [fragment] + rest }
    }
    return nil
  }

  /// The fragments with the key of an object, and the objects whose keys each lacks. One with few comes first, and one
  /// that has no more keys than another is left out.
  private func choices(
    for object: String, _ objects: [String]
  ) -> [(fragment: KeyFragment, others: [String])] {
    let all = (fragments[object] ?? []).map { fragment in
      (fragment: fragment, others: objects.filter { !has(fragment, $0) })
    }
    let order = all.indices.sorted {
      (all[$0].others.count, $0) < (all[$1].others.count, $1)
    }
    var choices: [(fragment: KeyFragment, others: [String])] = []
    for index in order where !choices.contains(where: { $0.others.isSubset(of: all[index].others) })
    {
      choices.append(all[index])
    }
    return choices
  }

  func has(_ fragment: KeyFragment, _ object: String) -> Bool {
    fragments[object]?.contains(fragment) ?? false
  }
}

extension [String] {
  fileprivate func isSubset(of other: [String]) -> Bool { Set(self).isSubset(of: other) }
}

/// A fragment that is added to documents, with the key of objects whose interface or union does not have it.
///
/// A type condition would be one of the struct's cases, with all fields around it.
struct KeyFragment: Hashable {
  let type: String
  let fields: [String]

  /// The same in all modules, so no other fragment may have it.
  var name: String {
    // Names in the schema may contain the separator.
    "_" + ([type] + fields).map { $0.replacing("_", with: "__") }.joined(separator: "_")
  }

  var definition: FragmentDefinition {
    FragmentDefinition(
      name: name, typeCondition: TypeName(type),
      selectionSet: Document.SelectionSet(fields.map { .field(Document.Field(name: $0)) }))
  }
}
