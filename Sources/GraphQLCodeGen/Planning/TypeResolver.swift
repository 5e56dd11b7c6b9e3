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

/// Rejects names that are not GraphQL names (section 2.1.8), and types that do not exist.
///
/// A schema that was read has been checked. This is a second check before the emitters, which write
/// names unchanged into source and files.
struct NameCheck {
  private let schema: SelectedSchema
  private var report = Report()

  static func check(_ schema: SelectedSchema) -> Report {
    var check = NameCheck(schema: schema)
    for type in schema.types { check.check(type) }
    for directive in schema.directives {
      check.check(directive.name, of: "directive")
      check.check(directive.arguments.elements)
    }
    for name in schema.roots.values.sorted() { check.check(name, of: "root type") }
    return check.report
  }

  private init(schema: SelectedSchema) {
    self.schema = schema
  }

  private mutating func check(_ type: NamedType) {
    check(type.name, of: "type")
    for interface in type.interfaces?.elements ?? [] { check(interface.name, of: "interface") }
    // By position, which copies no definition.
    let fields = type.fields?.elements ?? []
    for position in fields.indices {
      check(fields[position].name, of: "field")
      check(fields[position].type)
      check(fields[position].arguments.elements)
    }
    switch type {
    case .union(let union):
      for member in union.members.elements { check(member.name, of: "member") }
    case .enum(let type):
      for value in type.values.elements { check(value.name, of: "enum value") }
    case .inputObject(let input): check(input.fields.elements)
    case .scalar, .object, .interface: break
    }
  }

  private mutating func check(_ values: [InputValueDefinition]) {
    for position in values.indices {
      check(values[position].name, of: "argument or input field")
      check(values[position].type)
    }
  }

  /// Types of introspection are legal types of fields, but no code is generated for them.
  private mutating func check(_ type: TypeReference) {
    let name = type.namedType
    // The names of the selected types are checked with the types.
    if Self.builtInScalars.contains(name) || schema.kinds[name] != nil { return }
    check(name, of: "type")
    report.error("UnknownType", "No code can be generated for the type \(quoted(name)).")
  }

  private static let builtInScalars: WordSet = ["Boolean", "Float", "ID", "Int", "String"]

  private mutating func check(_ name: String, of element: String) {
    if Identifier.isName(name) { return }
    report.error(
      "InvalidName",
      "The schema has a \(element) called \(quoted(name)), which is not a name.")
  }
}

/// Rejects names of a configuration that a plan does not have, because generated code or the runtime
/// needs them. Conflicts between elements of the schema were reported before.
struct RenameCheck {
  private let rename: [SchemaCoordinate: Located<String>]
  private var report = Report()

  static func check(_ plan: GenerationPlan, against configuration: Configuration) -> Report {
    var check = RenameCheck(rename: configuration.rename)
    if !configuration.rename.isEmpty { check.check(plan) }
    return check.report
  }

  private init(rename: [SchemaCoordinate: Located<String>]) {
    self.rename = rename
  }

  private mutating func check(_ plan: GenerationPlan) {
    for type in plan.composites {
      let owner = type.schemaName
      check(.type(owner), [type.responseType])
      for field in type.fields {
        check(.member(type: owner, name: field.schemaName), [field.method, field.property])
        check(field.arguments) { .argument(type: owner, field: field.schemaName, name: $0) }
      }
    }
    for type in plan.enums {
      check(.type(type.schemaName), [type.name])
      for value in type.cases {
        check(.member(type: type.schemaName, name: value.schemaName), [value.name])
      }
    }
    for type in plan.inputs {
      check(.type(type.schemaName), [type.name])
      for field in type.fields {
        check(
          .member(type: type.schemaName, name: field.argument.schemaName),
          [field.property, SwiftKeywords.spelled(field.argument.label)])
      }
    }
    for type in plan.oneOfs {
      check(.type(type.schemaName), [type.name])
      for value in type.cases {
        check(.member(type: type.schemaName, name: value.schemaName), [value.name])
      }
    }
    for directive in plan.directives {
      let name = directive.schemaName
      check(.directive(name), [directive.function])
      check(directive.arguments) { .directiveArgument(directive: name, name: $0) }
    }
  }

  private mutating func check(
    _ arguments: [ArgumentPlan], _ coordinate: (String) -> SchemaCoordinate
  ) {
    // A label needs no backticks, so it is planned without them.
    for argument in arguments {
      check(coordinate(argument.schemaName), [SwiftKeywords.spelled(argument.label)])
    }
  }

  /// - Parameter planned: the names of the declarations of one element, as they are spelled.
  private mutating func check(_ coordinate: SchemaCoordinate, _ planned: [String]) {
    guard let wanted = rename[coordinate] else { return }
    let spelled = SwiftKeywords.spelled(wanted.value)
    guard let other = planned.first(where: { $0 != spelled }) else { return }
    report.error(
      "UnavailableName",
      "\(quoted(coordinate.description)) cannot have the name \(quoted(wanted.value)) in Swift, which "
        + "generated code or the runtime uses: it would become \(quoted(other)).",
      at: wanted.position, suggestion: "Choose another name.")
  }
}

/// Rejects schemas in which two elements of one scope would have the same Swift name, e.g.
/// `created_at` and `createdAt`. Which one an app means must not depend on their order.
final class NameConflicts {
  private let configuration: Configuration
  let names: WantedNames
  /// The names without the conversion of their case.
  private let writtenNames: WantedNames
  private let sources: [Source]
  private var report = Report()

  static func check(
    _ schema: SelectedSchema, sources: [Source], configuration: Configuration
  ) -> Report {
    let check = NameConflicts(configuration: configuration, sources: sources)
    check.check(schema)
    return check.report
  }

  private init(configuration: Configuration, sources: [Source]) {
    self.configuration = configuration
    names = WantedNames(configuration)
    var written = configuration
    written.naming = .asWritten
    writtenNames = WantedNames(written)
    self.sources = sources
  }

  private func check(_ schema: SelectedSchema) {
    // Scalars have no type of their own in Swift.
    check(schema.types.filter { if case .scalar = $0 { false } else { true } }) { .type($0) }
    for type in schema.types { check(type) }
    if !configuration.rename.isEmpty { checkInterfaces(of: schema) }
    check(schema.directives) { .directive($0) }
    for directive in schema.directives {
      check(directive.arguments.elements) {
        .directiveArgument(directive: directive.name, name: $0)
      }
    }
  }

  private func check(_ type: NamedType) {
    let owner = type.name
    let fields = type.fields?.elements ?? []
    check(fields) { .member(type: owner, name: $0) }
    // By position, which copies no definition.
    for position in fields.indices {
      let field = fields[position].name
      check(fields[position].arguments.elements) {
        .argument(type: owner, field: field, name: $0)
      }
    }
    switch type {
    case .enum(let type): check(type.values.elements) { .member(type: owner, name: $0) }
    case .inputObject(let input): check(input.fields.elements) { .member(type: owner, name: $0) }
    case .scalar, .object, .interface, .union: break
    }
  }

  private func check(
    _ elements: [some NamedElement], coordinate: (String) -> SchemaCoordinate
  ) {
    guard elements.count > 1 else { return }
    let swiftNames = elements.indices.map { names[coordinate(elements[$0].name)] }
    // Names in one scope of the schema differ, so unchanged names cannot conflict. That is the usual
    // case.
    if elements.indices.allSatisfy({ swiftNames[$0] == elements[$0].name }) { return }
    var first: [String: Int] = [:]
    for (position, name) in swiftNames.enumerated() {
      guard let other = first.updateValue(position, forKey: name) else { continue }
      report(
        Element(elements[position], coordinate), conflictsWith: Element(elements[other], coordinate)
      )
    }
  }

  /// An element of a schema, with the name's position.
  struct Element {
    let coordinate: SchemaCoordinate
    let range: SourceRange

    init(_ element: some NamedElement, _ coordinate: (String) -> SchemaCoordinate) {
      self.coordinate = coordinate(element.name)
      range = element.nameRange
    }
  }

  /// - Parameter type: the type that has both; nil if it is in their coordinates.
  func report(
    _ element: Element, conflictsWith other: Element, in type: String? = nil
  ) {
    let coordinates = (other.coordinate.description, element.coordinate.description)
    // With all names as written, two elements conflict only if one of them is renamed.
    let isConverted = writtenNames[element.coordinate] != writtenNames[other.coordinate]
    report.error(
      "NameConflict",
      "\(quoted(coordinates.0)) and \(quoted(coordinates.1)) have the same name in Swift,"
        + " \(quoted(names[element.coordinate]))"
        + (type.map { ", and \(quoted($0)) has both." } ?? "."),
      at: sources.position(of: element.range),
      suggestion:
        "Give one of them another name in the configuration:"
        + " `\"rename\": { \"\(coordinates.1)\": \"…\" }`"
        + (isConverted ? ", or keep all names: `\"naming\": \"asWritten\"`." : "."),
      notes: [
        .init("\(quoted(coordinates.0)) is defined here.", at: sources.position(of: other.range))
      ])
  }
}

extension NameConflicts {
  /// A property of an interface's protocol is also one of the types that implement the interface. One
  /// of the type's own hides it, and must read the same field. Otherwise it must be the only one of its
  /// name, or hide the others.
  func checkInterfaces(of schema: SelectedSchema) {
    for type in schema.types {
      guard let fields = type.fields, let interfaces = type.interfaces else { continue }
      var own: [String: FieldDefinition] = [:]
      for field in fields.elements {
        own[names[.member(type: type.name, name: field.name)]] = field
      }
      var inherited: [String: [Inherited]] = [:]
      var swiftNames: [String] = []
      for name in interfaces.elements {
        guard case .interface(let interface)? = schema.typesByName[name.name] else { continue }
        for field in interface.fields.elements {
          let property = Inherited(interface: interface, field: field)
          let swiftName = names[property.element.coordinate]
          guard let other = own[swiftName] else {
            if inherited[swiftName] == nil { swiftNames.append(swiftName) }
            inherited[swiftName, default: []].append(property)
            continue
          }
          if other.name == field.name { continue }
          report(
            property.element,
            conflictsWith: Element(other) { .member(type: type.name, name: $0) })
        }
      }
      for name in swiftNames { check(inherited[name] ?? [], of: type.name) }
    }
  }

  /// Checks properties of one name, which a type inherits from its interfaces.
  private func check(_ properties: [Inherited], of type: String) {
    guard properties.count > 1 else { return }
    let hides = properties.contains { property in
      properties.allSatisfy { $0.isHidden(by: property) }
    }
    if hides { return }
    let first = properties[0]
    let other = properties.first { !$0.isHidden(by: first) && !first.isHidden(by: $0) }
    report((other ?? properties[1]).element, conflictsWith: first.element, in: type)
  }

  /// The property of an interface's protocol.
  private struct Inherited {
    let interface: InterfaceType
    let field: FieldDefinition

    var element: Element { Element(field) { .member(type: interface.name, name: $0) } }

    /// Whether the other one reads the same field, and is of the same or a refining protocol.
    func isHidden(by other: Inherited) -> Bool {
      field.name == other.field.name
        && (interface.name == other.interface.name
          || other.interface.interfaces.contains(name: interface.name))
    }
  }
}
