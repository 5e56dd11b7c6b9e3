#if !ONE_MODULE
  import GraphQLSchema
#endif

/// Resolves references of the schema to Swift types.
final class TypeResolver {
  private let schema: SelectedSchema
  private let names: TypeNames
  private let namespace: String
  /// Scalars with a mapping other than JSON, sorted by name.
  let scalars: [ScalarPlan]
  private let scalarTypes: [String: SwiftType]
  /// Custom types as the code of documents spells them.
  private let scalarTypesInDocuments: [String: SwiftType]
  /// Scalars that are read and written like a built-in one, with its name.
  let builtInScalars: [String: String]
  /// The modules of the types of configured scalars in use, by the types as the code of the schema spells them.
  let importedTypes: [String: String]
  /// The same by the types as the code of documents spells them. A fragment may have the name of such a type.
  let typesImportedByDocuments: [String: String]
  /// Resolved types, by name: most are those of several fields.
  private var leaves: [String: Leaf] = [:]

  /// A named type in the position of a field.
  private struct Leaf {
    let kind: TypeKind?
    let type: SwiftType
    /// The query class of a type with fields.
    let subfields: String?
  }

  init(schema: SelectedSchema, configuration: Configuration, names: TypeNames) {
    self.schema = schema
    self.names = names
    namespace = configuration.namespace
    var scalars: [ScalarPlan] = []
    var importedTypes: [String: String] = [:]
    var typesImportedByDocuments: [String: String] = [:]
    var builtIns: [String: String] = [:]
    var typesInDocuments: [String: SwiftType] = [:]
    for case .scalar(let scalar) in schema.types {
      let mapping =
        configuration.scalars[scalar.name]?.value
        ?? ReadyScalar.byName(scalar.name).map(ScalarMapping.ready)
      guard let mapping else { continue }
      let type = Self.type(of: mapping, names: names)
      let typeInDocuments = mapping.typeInDocuments(namespace: configuration.namespace)
      if case .custom(_, let module?) = mapping, case .named(let name) = type {
        importedTypes[name] = module
        typesImportedByDocuments[typeInDocuments ?? name] = module
      }
      typesInDocuments[scalar.name] = typeInDocuments.map { .named($0) }
      if case .ready(let ready) = mapping { builtIns[scalar.name] = ready.builtInScalar }
      scalars.append(ScalarPlan(schemaName: scalar.name, type: type))
    }
    self.importedTypes = importedTypes
    self.typesImportedByDocuments = typesImportedByDocuments
    scalarTypes = Dictionary(uniqueKeysWithValues: scalars.map { ($0.schemaName, $0.type) })
    builtInScalars = builtIns
    scalarTypesInDocuments = typesInDocuments
    // JSON is also the result for a scalar without a mapping. An upload is not a result.
    self.scalars = scalars.filter {
      $0.type != .named(RuntimeSymbols.json) && $0.type != .named(RuntimeSymbols.upload)
        && builtIns[$0.schemaName] == nil
    }
  }

  private static func type(of mapping: ScalarMapping, names: TypeNames) -> SwiftType {
    switch mapping {
    case .ready(let scalar):
      let type = scalar.type
      return .named(type.isStandard ? names.standard(type.name) : type.name)
    case .custom(let path, _):
      return .named(mapping.typeInSchema(declared: names.declared) ?? path)
    }
  }

  /// The helper that reads a value of a type, the Swift type it returns, and the query class if the
  /// type has fields (section 3.6).
  func output(
    _ reference: TypeReference
  ) -> (accessor: String, type: SwiftType, subfields: String?) {
    let name = reference.namedType
    let leaf = leaf(name)
    let kind = leaf.kind
    let isUpload = leaf.type == .named(RuntimeSymbols.upload)
    let type = swiftType(reference, leaf: isUpload ? .named(RuntimeSymbols.json) : leaf.type)
    let accessor =
      switch (kind, reference.wrapping) {
      case (.object, .required): RuntimeSymbols.one
      case (.object, .nullable): RuntimeSymbols.one + RuntimeSymbols.optionalSuffix
      case (.object, .list): RuntimeSymbols.list
      case (.object, .other): RuntimeSymbols.value
      case (.interface, .required), (.union, .required): RuntimeSymbols.any
      case (.interface, .nullable), (.union, .nullable):
        RuntimeSymbols.any + RuntimeSymbols.optionalSuffix
      case (.interface, .list), (.union, .list): RuntimeSymbols.anyList
      case (.interface, .other), (.union, .other): RuntimeSymbols.anys
      case (_, let wrapping): builtInAccessor(name, kind, wrapping) ?? RuntimeSymbols.value
      }
    return (accessor, type, leaf.subfields)
  }

  /// The Swift type of an argument or input field, without the part that makes it optional in the
  /// call.
  func input(_ reference: TypeReference) -> SwiftType {
    let name = reference.namedType
    var leaf = leaf(name).type
    if case .generated(let name) = leaf, RuntimeSymbols.memberTypes.contains(name) {
      leaf = .named(namespace + "." + name)
    }
    return swiftType(reference, leaf: leaf)
  }

  /// The Swift type of a result or variable of a typed operation. Only for leaves and input objects.
  func operationType(_ reference: TypeReference, isResult: Bool) -> SwiftType {
    let name = reference.namedType
    let leaf = leaf(name)
    var type = scalarTypesInDocuments[name] ?? leaf.type
    if isResult, type == .named(RuntimeSymbols.upload) { type = .named(RuntimeSymbols.json) }
    return swiftType(reference, leaf: type)
  }

  private func leaf(_ name: String) -> Leaf {
    if let leaf = leaves[name] { return leaf }
    let kind = schema.kinds[name]
    let hasFields = kind == .object || kind == .interface || kind == .union
    let leaf = Leaf(
      kind: kind, type: type(name, kind), subfields: hasFields ? names.query(name) : nil)
    leaves[name] = leaf
    return leaf
  }

  private func type(_ name: String, _ kind: TypeKind?) -> SwiftType {
    switch kind {
    case .interface?, .union?: .existential(names.type(name))
    case .object?, .enum?, .inputObject?: .generated(names.type(name))
    case .scalar?: scalarTypes[name] ?? .named(RuntimeSymbols.json)
    case nil: builtIn(name)
    }
  }

  private func builtIn(_ name: String) -> SwiftType {
    switch name {
    case "Int": .named(names.standard("Int"))
    case "Float": .named(names.standard("Double"))
    case "Boolean": .named(names.standard("Bool"))
    case "ID": .named(RuntimeSymbols.id)
    default: .named(names.standard("String"))
    }
  }

  private func builtInAccessor(
    _ name: String, _ kind: TypeKind?, _ wrapping: TypeReference.Wrapping
  ) -> String? {
    guard kind == nil, wrapping == .required || wrapping == .nullable else {
      return nil
    }
    let helper =
      switch name {
      case "Int": RuntimeSymbols.int
      case "Float": RuntimeSymbols.double
      case "Boolean": RuntimeSymbols.bool
      case "ID": RuntimeSymbols.readID
      default: RuntimeSymbols.string
      }
    return wrapping == .required ? helper : helper + RuntimeSymbols.optionalSuffix
  }

  /// The type with another one in place of the named type.
  func swiftType(_ reference: TypeReference, leaf: SwiftType) -> SwiftType {
    switch reference {
    case .nonNull(.named): leaf
    case .nonNull(.list(let item)): .array(swiftType(item, leaf: leaf))
    case .nonNull(let inner): swiftType(inner, leaf: leaf)
    case .named: .optional(leaf)
    case .list(let item): .optional(.array(swiftType(item, leaf: leaf)))
    }
  }
}

extension TypeReference {
  /// The shapes of types for which the runtime has specialised readers.
  enum Wrapping {
    /// `T!`
    case required
    /// `T`
    case nullable
    /// `[T!]!`
    case list
    case other
  }

  var wrapping: Wrapping {
    switch self {
    case .nonNull(.named): .required
    case .named: .nullable
    case .nonNull(.list(.nonNull(.named))): .list
    default: .other
    }
  }
}

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
