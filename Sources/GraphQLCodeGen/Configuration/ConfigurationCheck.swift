import GraphQLSchema

/// Checks a configuration against its schema, without the options for documents. It also checks its texts, which
/// are written into source like the names of the schema.
struct ConfigurationCheck {
  let configuration: Configuration
  let schema: ServiceSchema
  var report = Report()

  static func check(
    _ configuration: Configuration, against schema: ServiceSchema, selected: SelectedSchema
  ) -> Report {
    var check = ConfigurationCheck(configuration: configuration, schema: schema)
    check.checkModule()
    let hasCustomScalars = configuration.scalars.values.contains {
      if case .custom = $0.value { true } else { false }
    }
    let declared =
      hasCustomScalars
      ? TypeNames(schema: selected, configuration: configuration).declared : []
    for (name, mapping) in configuration.scalars.sorted(by: { $0.key < $1.key }) {
      check.checkScalar(name, mapping, declared: declared)
    }
    for (name, policy) in configuration.types.sorted(by: { $0.key < $1.key }) {
      check.checkType(name, policy)
    }
    check.checkClientDirectives()
    check.checkRenames()
    return check.report
  }

  private init(configuration: Configuration, schema: ServiceSchema) {
    self.configuration = configuration
    self.schema = schema
  }

  private mutating func checkModule() {
    let namespace = configuration.namespace
    if !Configuration.isNamespace(namespace) {
      report.error(
        "InvalidNamespace",
        "The namespace \(quoted(namespace)) cannot be the name of a Swift enum.")
    }
    if case .files(let count) = configuration.layout,
      !Configuration.Layout.possibleFiles.contains(count)
    {
      report.error("InvalidLayout", "The number of files must be from 1 to 64.")
    }
    if configuration.classes == .open, configuration.access != .public {
      report.error(
        "OpenNeedsPublic", "Open classes are public: `classes` and `access` contradict each other.")
    }
  }

  private mutating func checkClientDirectives() {
    for name in configuration.clientDirectives {
      if ClientDirectives.builtIn.contains(name.value) {
        report.error(
          "BuiltInDirective", "The directive \"@\(name.value)\" is for the service.",
          at: name.position)
      } else if schema.directive(named: name.value) == nil {
        report.error(
          "UnknownDirective", "There is no directive \"@\(name.value)\" in the schema.",
          at: name.position,
          suggestion: didYouMean(name.value, among: schema.directives.elements.map(\.name))
            ?? "Define it in a file of the schema: \"directive @\(name.value) on QUERY\".")
      }
    }
  }

  private mutating func checkScalar(
    _ name: String, _ mapping: Located<ScalarMapping>, declared: Set<String>
  ) {
    let position = mapping.position
    if ServiceSchema.builtInTypes.contains(name: name) {
      report.error(
        "BuiltInScalar", "The built-in scalar `\(name)` cannot be mapped.", at: position)
    } else if case .scalar? = schema.types[name] {
    } else {
      let scalars = schema.types.elements.filter { $0.kind == .scalar }.map(\.name)
      report.error(
        "UnknownScalar", "There is no scalar \(quoted(name)) in the schema.",
        at: position, suggestion: didYouMean(name, among: scalars))
    }
    guard case .custom(let type, let module) = mapping.value else { return }
    if !Identifier.isPath(type) || module.map(Identifier.isModule) == false {
      report.error(
        "InvalidScalarType",
        "\(quoted(module ?? type)) is not the name of a Swift type or module.",
        at: position)
    } else if let first = mapping.value.firstName, declared.contains(first),
      mapping.value.qualifiedType(unlessHiddenBy: declared) == nil
    {
      let hiders =
        module == nil || module == first
        ? "a generated type of that name" : "generated types of its name and that of its module"
      report.error(
        "HiddenScalarType",
        "The type `\(type)` of the scalar `\(name)` is hidden by \(hiders).", at: position,
        suggestion: module == nil
          ? "Name its module with `import`, or give it another name."
          : "Give one of the generated types another name with `rename` or `namespace`.")
    }
  }

  private mutating func checkType(_ name: String, _ policy: Located<TypePolicy>) {
    let position = policy.position
    if name == TypePolicy.others {
      checkOthers(policy)
      return
    }
    guard let type = schema.types[name] else {
      report.error(
        "UnknownType", "There is no type \(quoted(name)) in the schema.", at: position,
        suggestion: didYouMean(name, among: schema.types.elements.map(\.name)))
      return
    }
    guard case .object(let object) = type else {
      report.error(
        "NotAnObject", "`\(name)` is not an object type; only objects have keys and policies.",
        at: position)
      return
    }
    for field in policy.value.key ?? [] { checkField(field, of: object, use: "key", at: position) }
    if let version = policy.value.version {
      checkField(version, of: object, use: "version", at: position)
    }
    for field in policy.value.lists.keys.sorted() where object.fields[field]?.type.isList != true {
      report.error(
        "UnknownField", "The type `\(name)` has no list \(quoted(field)).", at: position,
        suggestion: didYouMean(
          field, among: object.fields.elements.filter(\.type.isList).map(\.name)))
    }
    for field in policy.value.delete.keys.sorted() where !leadsToObjects(field, of: object) {
      report.error(
        "UnknownField", "The type `\(name)` has no field \(quoted(field)) that leads to objects.",
        at: position,
        suggestion: didYouMean(
          field, among: object.fields.elements.map(\.name).filter { leadsToObjects($0, of: object) }
        ))
    }
    if let maxAge = policy.value.maxAge, maxAge < 0 {
      report.error("InvalidMaxAge", "The `maxAge` of `\(name)` is negative.", at: position)
    }
    for path in policy.value.queryable { checkPath(path, of: object, at: position) }
    for (field, inverse) in policy.value.inverses.sorted(by: { $0.key < $1.key }) {
      checkInverse(field, inverse, of: object, at: position)
    }
    for operation in policy.value.supportedOperations where !Identifier.isName(operation) {
      report.error(
        "InvalidOperation",
        "The operation \(quoted(operation)) of `\(name)` is not a name.", at: position)
    }
  }

  private func leadsToObjects(_ field: String, of object: ObjectType) -> Bool {
    guard let field = object.fields[field] else { return false }
    return switch schema.namedType(of: field.type) {
    case .object, .interface, .union: true
    default: false
    }
  }

  /// A policy for types that are not named cannot name fields.
  private mutating func checkOthers(_ policy: Located<TypePolicy>) {
    let allowed = TypePolicy(policy: policy.value.policy, maxAge: policy.value.maxAge)
    guard policy.value != allowed else { return }
    report.error(
      "InvalidDefaultPolicy",
      "`*`, which applies to all other types, accepts only `policy` and `maxAge`.",
      at: policy.position)
  }

  /// A queryable field is one of the object, or of objects without a key that are part of it.
  private mutating func checkPath(
    _ path: String, of object: ObjectType, at position: SourcePosition?
  ) {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var owner = object
    for name in names.dropLast() {
      guard let field = owner.fields[name], !field.type.isList, !field.requiresArguments,
        case .object(let next)? = schema.namedType(of: field.type)
      else {
        report.error(
          "UnsuitableField",
          "`\(object.name)` cannot be queried by \(quoted(path)): `\(owner.name)` has no field"
            + " \(quoted(name)) that leads to one object.", at: position)
        return
      }
      owner = next
    }
    checkField(names[names.count - 1], of: owner, use: "queryable fields", at: position)
  }

  /// An inverse is a field of the target objects, and leads back.
  private mutating func checkInverse(
    _ field: String, _ inverse: String, of object: ObjectType, at position: SourcePosition?
  ) {
    guard let definition = object.fields[field],
      case .object(let target)? = schema.namedType(of: definition.type),
      let back = target.fields[inverse], schema.namedType(of: back.type)?.name == object.name
    else {
      report.error(
        "UnsuitableInverse",
        "`\(object.name).\(field)` has no inverse \(quoted(inverse)): both must be fields that lead"
          + " to objects of the other's type.", at: position)
      return
    }
  }

  /// Keys and versions are compared, so they are single leaf values that need no arguments.
  private mutating func checkField(
    _ field: String, of object: ObjectType, use: String, at position: SourcePosition?
  ) {
    guard let definition = object.fields[field] else {
      report.error(
        "UnknownField",
        "The type `\(object.name)` has no field \(quoted(field)) for its \(use).",
        at: position,
        suggestion: didYouMean(field, among: object.fields.elements.map(\.name)))
      return
    }
    let isLeaf = schema.namedType(of: definition.type)?.isLeafType ?? false
    let isDenied = configuration.deny.contains {
      $0.value == ListedElement(type: object.name, field: field)
    }
    if !isLeaf || definition.type.isList || definition.requiresArguments || isDenied {
      report.error(
        "UnsuitableField",
        "`\(object.name).\(field)` cannot be part of the \(use): it must be a single scalar or enum"
          + " that needs no arguments and is not denied.",
        at: position)
    }
  }
}

extension Configuration {
  /// Names that generated code needs for other purposes.
  private static let unusableNamespaces: Set<String> = [
    "Swift", RuntimeSymbols.namespace, RuntimeSymbols.module, RuntimeSymbols.response,
    RuntimeSymbols.data, "Any", "Schema",
  ]

  static func isNamespace(_ name: String) -> Bool {
    Identifier.isName(name) && !SwiftKeywords.unusable.contains(name)
      && !SwiftKeywords.escaped.contains(name) && !unusableNamespaces.contains(name)
  }
}

extension ConfigurationCheck {
  mutating func checkRenames() {
    for (coordinate, name) in configuration.rename.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      if !Identifier.isSwiftName(name.value) {
        report.error(
          "InvalidSwiftName", "\(quoted(name.value)) cannot be a name in Swift.",
          at: name.position)
      }
      if case .type(let type) = coordinate, case .scalar? = schema.types[type] {
        report.error(
          "RenamedScalar", "The scalar \(quoted(type)) has no type of its own in Swift.",
          at: name.position, suggestion: "Set its Swift type with `scalars`.")
      }
      if let (missing, others) = firstMissing(of: coordinate) {
        report.error(
          "UnknownElement", "There is no \(quoted(coordinate.description)) in the schema.",
          at: name.position,
          suggestion: didYouMean(missing.description, among: others.map(\.description)))
      }
    }
  }

  /// The part of a coordinate that the schema does not have, from its left, and the elements that
  /// it has instead; nil if the schema has an element with this coordinate.
  private func firstMissing(
    of coordinate: SchemaCoordinate
  ) -> (missing: SchemaCoordinate, others: [SchemaCoordinate])? {
    let (parent, names, wanted): (SchemaCoordinate?, [String]?, (String) -> SchemaCoordinate)
    switch coordinate {
    case .type:
      (parent, names, wanted) = (nil, schema.types.elements.map(\.name), { .type($0) })
    case .member(let type, _):
      parent = .type(type)
      names = schema.types[type]?.elementNames
      wanted = { .member(type: type, name: $0) }
    case .argument(let type, let field, _):
      parent = .member(type: type, name: field)
      names = schema.types[type]?.fields?[field]?.arguments.elements.map(\.name)
      wanted = { .argument(type: type, field: field, name: $0) }
    case .directive:
      (parent, names, wanted) = (nil, schema.directives.elements.map(\.name), { .directive($0) })
    case .directiveArgument(let directive, _):
      parent = .directive(directive)
      names = schema.directives[directive]?.arguments.elements.map(\.name)
      wanted = { .directiveArgument(directive: directive, name: $0) }
    }
    guard let names else { return parent.flatMap(firstMissing) ?? (coordinate, []) }
    let others = names.map(wanted)
    return others.contains(coordinate) ? nil : (coordinate, others)
  }
}

extension NamedType {
  /// The names of fields or enum values.
  fileprivate var elementNames: [String] {
    if case .enum(let type) = self { type.values.elements.map(\.name) } else { memberNames }
  }
}
