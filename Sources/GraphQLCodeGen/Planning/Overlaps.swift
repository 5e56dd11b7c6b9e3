import GraphQLSchema

/// The additional types that the values of an abstract type can have: its possible object types,
/// and the interfaces that one of these implements too (section 5.5.2.3).
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

  /// The number of steps to find the overlaps. It grows, like the size of the generated code, with
  /// the square of the number of interfaces and unions of one object.
  static func cost(of schema: SelectedSchema) -> Int {
    var cost = 0
    for case .object(let object) in schema.types {
      let interfaces = object.interfaces.count
      cost += (interfaces + (schema.unions[object.name]?.count ?? 0)) * (interfaces + 1)
    }
    return cost
  }

  /// Hundreds of times the need of large schemas of real services.
  static let highestCost = 4_000_000
}
