import GraphQLSchema

/// The Swift names of all generated types, as they are spelled in the namespace.
///
/// Types of the schema have priority, so `FooQuery` of the schema keeps its name and the builder of
/// `Foo` becomes `FooQuery_`. Everything is in the order of the types' names.
final class TypeNames: Sendable {
  private let types: [String: String]
  private let queries: [String: String]
  private let unknowns: [String: String]
  /// Standard types that are hidden by a generated type or by the namespace.
  let hiddenStandardTypes: Set<String>
  /// The names that generated code declares. If `Money` is one, it hides the module in `Money.Amount`.
  let declared: Set<String>

  init(schema: SelectedSchema, configuration: Configuration) {
    let namespace = configuration.namespace
    let wantedNames = WantedNames(configuration)
    var scope = NameScope(reserved: ReservedNames.types(namespace: namespace))
    let swiftTypes = schema.types.filter { if case .scalar = $0 { false } else { true } }
    var types = [String: String](minimumCapacity: swiftTypes.count)
    var queries = [String: String](minimumCapacity: swiftTypes.count)
    var unknowns: [String: String] = [:]
    // Most types have two names.
    var declared = Set<String>(minimumCapacity: 2 * swiftTypes.count)
    declared.insert(namespace)
    let wanted = swiftTypes.map { wantedNames[.type($0.name)] }
    for (type, name) in zip(swiftTypes, scope.claimAll(wanted)) {
      types[type.name] = SwiftKeywords.spelled(name)
      declared.insert(name)
    }
    for (type, wanted) in zip(swiftTypes, wanted) where type.isCompositeType {
      let name = scope.claim(wanted + "Query")
      queries[type.name] = name
      declared.insert(name)
    }
    for (type, wanted) in zip(swiftTypes, wanted) where type.isAbstractType {
      let name = scope.claim("Unknown" + wanted)
      unknowns[type.name] = name
      declared.insert(name)
    }
    self.types = types
    self.queries = queries
    self.unknowns = unknowns
    self.declared = declared
    hiddenStandardTypes = ReservedNames.standardTypes.intersection(declared)
  }

  /// The class, protocol, enum or struct of a type.
  func type(_ name: String) -> String { types[name] ?? name }

  /// The class that selects fields of a composite type.
  func query(_ name: String) -> String { queries[name] ?? name }

  /// The class for values of an abstract type whose type is not in the schema.
  func unknown(_ name: String) -> String { unknowns[name] ?? name }

  /// A standard type, with its module if it is hidden.
  func standard(_ name: String) -> String {
    hiddenStandardTypes.contains(name) ? "Swift." + name : name
  }
}
