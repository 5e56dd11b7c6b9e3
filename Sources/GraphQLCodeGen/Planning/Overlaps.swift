import GraphQLSchema

/// Which types the values of an abstract type can have besides: its possible object types, and the
/// interfaces that one of these implements too (section 5.5.2.3).
struct Overlaps {
  private var types: [String: Set<String>] = [:]

  init(schema: SelectedSchema) {
    for case .object(let object) in schema.types {
      let interfaces = object.interfaces.elements.map(\.name)
      for abstract in interfaces + (schema.unions[object.name] ?? []) {
        types[abstract, default: [object.name]].insert(object.name)
        types[abstract]?.formUnion(interfaces)
      }
    }
  }

  /// Names of object types and interfaces, sorted, without the type itself.
  subscript(abstract: String) -> [String] {
    (types[abstract] ?? []).subtracting([abstract]).sorted()
  }

  /// Steps that it takes to find the overlaps. Their number, and the size of the generated code,
  /// grow with the square of the interfaces and unions that one object belongs to.
  static func cost(of schema: SelectedSchema) -> Int {
    var cost = 0
    for case .object(let object) in schema.types {
      let interfaces = object.interfaces.count
      cost += (interfaces + (schema.unions[object.name]?.count ?? 0)) * (interfaces + 1)
    }
    return cost
  }

  /// Hundreds of times what large schemas of real services need.
  static let highestCost = 4_000_000
}
