/// The rules of chapter 3 about a whole schema, one function each.
struct TypeSystemValidator {
  let schema: ServiceSchema
  var diagnostics: DiagnosticCollector
  /// Whether a field is repeated with the same signature, which only causes a warning.
  var foundRepeatedFields = false
  /// The fields of all object and interface types.
  let fields: [Members<FieldDefinition>]
  /// The arguments of all fields and directives, and the fields of all input objects.
  let inputValues: [Members<InputValueDefinition>]

  init(schema: ServiceSchema, diagnostics: DiagnosticCollector) {
    self.schema = schema
    self.diagnostics = diagnostics
    var fields: [Members<FieldDefinition>] = []
    var inputValues: [Members<InputValueDefinition>] = []
    for type in schema.types.elements {
      let name = type.name
      if let definitions = type.fields?.elements {
        fields.append(Members(owner: .type(name), elements: definitions))
        for position in definitions.indices where !definitions[position].arguments.isEmpty {
          inputValues.append(
            Members(
              owner: .field(type: name, name: definitions[position].name),
              elements: definitions[position].arguments.elements))
        }
      }
      if case .inputObject(let input) = type {
        inputValues.append(Members(owner: .type(name), elements: input.fields.elements))
      }
    }
    for directive in schema.directives.elements {
      inputValues.append(
        Members(owner: .directive(directive.name), elements: directive.arguments.elements))
    }
    self.fields = fields
    self.inputValues = inputValues
  }

  mutating func validate() {
    queryRootType()
    uniqueOperationTypes()
    rootTypesAreObjects()
    rootTypesDiffer()

    validNames()
    reservedNames()
    fieldsNonEmpty()
    uniqueFieldNames()
    uniqueMemberNames()
    uniqueArgumentNames()
    outputFieldTypes()
    inputValueTypes()
    requiredNotDeprecated()
    defaultValues()

    interfacesAreInterfaces()
    uniqueInterfaces()
    interfacesWithoutCycles()
    transitiveInterfaces()
    implementedFields()

    unionMembers()
    enumValueNames()

    oneOfFields()
    inputObjectCycles()
    oneOfInhabitable()
    defaultValueCycles()

    directiveLocations()
    directiveDefinitionCycles()
    appliedDirectives()
  }
}

extension TypeSystemValidator {
  /// There is a query root type (section 3.3.1).
  mutating func queryRootType() {
    let definition = schema.definition
    if definition.operationTypes.contains(where: { $0.operationType == .query }) { return }
    let range =
      definition.range.isKnown || schema.sources.isEmpty
      ? definition.range : SourceRange(source: 0, start: 0, end: 0)
    let suggestion = queryRootSuggestion
    diagnostics.add(
      "QueryRootType", "The schema has no query root type.", at: range, suggestion: suggestion)
  }

  /// The schema definition for the types that look like root types.
  private var queryRootSuggestion: String {
    let queries = rootCandidates(.query)
    let hasDefinition = schema.definition.range.isKnown
    let others = [OperationType.mutation, .subscription].compactMap { operation in
      let names = rootCandidates(operation)
      return names.count == 1 ? "\(operation.rawValue): \(names[0])" : nil
    }
    let query = "query: \(queries.count == 1 ? queries[0] : "…")"
    let definition = "schema { \(([query] + others).joined(separator: " ")) }"
    let addition =
      hasDefinition ? "Add \"\(query)\" to the schema definition" : "Add \"\(definition)\""
    switch queries.count {
    case 1 where hasDefinition: return addition + ", if it is the root type."
    case 1: return addition + ", if these are the root types."
    case 2...3: return addition + ", with \(alternatives(queries))."
    default:
      return hasDefinition
        ? addition + "." : "Define \"type Query\", or a \"\(definition)\" that names another type."
    }
  }

  /// The object types that may be the root type of an operation: those that are called `QueryRoot`,
  /// `RootQueryType`, `query` or, for queries, `Root`, or else those whose names contain the operation
  /// and to which no field leads.
  private func rootCandidates(_ operation: OperationType) -> [String] {
    // Without a definition, types are root types by their default names.
    let definition = schema.definition
    let roots = definition.range.isKnown ? definition.operationTypes.map(\.type.name) : []
    let names = schema.types.elements.filter { $0.kind == .object && !roots.contains($0.name) }
      .map(\.name)
    let usual = names.filter { name in
      var words = name.lowercased()
      words.removeAll { $0 == "_" }
      let operation = operation.rawValue
      return [operation, "root" + operation, operation + "root"].contains { root in
        words == root || words == root + "type"
      }
    }
    if !usual.isEmpty { return usual }
    if operation == .query, names.contains("Root") { return ["Root"] }
    let used = Set(fields.flatMap { $0.elements.map(\.type.namedType) })
    return names.filter { !used.contains($0) && $0.lowercased().contains(operation.rawValue) }
  }

  /// Each operation type is given once (section 3.3.1).
  mutating func uniqueOperationTypes() {
    var firsts: [OperationType: RootOperationTypeDefinition] = [:]
    for root in schema.definition.operationTypes {
      guard let first = firsts[root.operationType] else {
        firsts[root.operationType] = root
        continue
      }
      let isRepeat = first.type.name == root.type.name
      diagnostics.add(
        isRepeat ? "RepeatedOperationTypes" : "UniqueOperationTypes",
        "There is more than one \(root.operationType.rawValue) root type.", at: root.range,
        notes: [("The first one is here.", first.range)])
    }
  }

  /// Root types are defined and are object types (section 3.3.1).
  mutating func rootTypesAreObjects() {
    for root in schema.definition.operationTypes {
      let name = root.type.name
      guard let type = schema.type(named: name) else {
        reportUnknownType(name, at: root.type.range) { $0.kind == .object }
        continue
      }
      guard type.kind != .object else { continue }
      // Roots by default name have no position of their own: the type's is used.
      diagnostics.add(
        "RootTypesAreObjects",
        "The \(root.operationType.rawValue) root type \(quoted(name)) must be an object type; "
          + "it is \(type.kind.phrase).",
        at: root.type.range.isKnown ? root.type.range : type.nameRange)
    }
  }

  /// Root types differ from each other (section 3.3.1).
  mutating func rootTypesDiffer() {
    var firsts: [String: RootOperationTypeDefinition] = [:]
    for root in schema.definition.operationTypes {
      guard let first = firsts[root.type.name] else {
        firsts[root.type.name] = root
        continue
      }
      if first.operationType == root.operationType { continue }
      diagnostics.add(
        "RootTypesDiffer",
        "\(quoted(root.type.name)) cannot be the root type of both "
          + "\(first.operationType.rawValue) and \(root.operationType.rawValue).",
        at: root.type.range, notes: [("It is first used here.", first.type.range)])
    }
  }
}

extension TypeSystemValidator {
  /// Names are valid (section 2.1.8). Only introspection results can violate this rule: in a
  /// document, an invalid name is a syntax error.
  mutating func validNames() {
    forEachName { coordinate, name, range, diagnostics in
      if isValidName(name) { return }
      diagnostics.add(
        "ValidNames", "\(quoted(name)) in \(quoted(coordinate().description)) is not a name.",
        at: range, suggestion: "Names consist of ASCII letters, digits and underscores.")
    }
  }

  /// Only introspection's own names start with two underscores (section 2.1.8). Definitions of its
  /// types, which some tools print, have their own code and are left out. Fields of objects and
  /// interfaces with its names would hide its own.
  mutating func reservedNames() {
    let schema = schema
    forEachName { coordinate, name, range, diagnostics in
      guard name.utf8.first == 0x5F, name.hasPrefix("__") else { return }
      let coordinate = coordinate()
      let code =
        if case .member(let type, _) = coordinate, BuiltIn.metaFields.contains(name),
          schema.types[type]?.fields != nil
        {
          "MetaFieldNames"
        } else if case .type = coordinate, BuiltIn.types.contains(name: name) {
          "IntrospectionTypes"
        } else {
          "ReservedNames"
        }
      diagnostics.add(
        code,
        "The name \(quoted(coordinate.description)) is reserved: it starts with two underscores.",
        at: range)
    }
  }

  private mutating func forEachName(
    _ body: (() -> SchemaCoordinate, String, SourceRange, inout DiagnosticCollector) -> Void
  ) {
    for type in schema.types.elements {
      body({ .type(type.name) }, type.name, type.nameRange, &diagnostics)
      if case .enum(let enumType) = type {
        for value in enumType.values.elements {
          body(
            { .member(type: type.name, name: value.name) }, value.name, value.nameRange,
            &diagnostics)
        }
      }
    }
    for directive in schema.directives.elements {
      body({ .directive(directive.name) }, directive.name, directive.nameRange, &diagnostics)
    }
    for members in fields { forEachName(of: members, body) }
    for members in inputValues { forEachName(of: members, body) }
  }

  private mutating func forEachName(
    of members: Members<some NamedElement>,
    _ body: (() -> SchemaCoordinate, String, SourceRange, inout DiagnosticCollector) -> Void
  ) {
    for position in members.indices {
      body(
        { members.coordinate(at: position) }, members.elements[position].name,
        members.elements[position].nameRange, &diagnostics)
    }
  }

  /// The fields of an object or interface have unique names (sections 3.6, 3.7). A field that is
  /// repeated with the same type and arguments has its own code and is left out: GitHub publishes
  /// some.
  mutating func uniqueFieldNames() {
    for type in schema.types.elements {
      guard let fields = type.fields, fields.hasDuplicates else { continue }
      var firsts: [String: FieldDefinition] = [:]
      for field in fields.elements {
        guard let first = firsts[field.name] else {
          firsts[field.name] = field
          continue
        }
        let isRepeat = first.hasSameSignature(as: field)
        if isRepeat { foundRepeatedFields = true }
        diagnostics.add(
          isRepeat ? "RepeatedFields" : "UniqueNames",
          "\(quoted(type.name)) has more than one field \(quoted(field.name)).",
          at: field.nameRange,
          notes: [("The first one is here.", first.nameRange)])
      }
    }
  }

  /// Input fields and enum values have unique names within their type (sections 3.9, 3.10).
  mutating func uniqueMemberNames() {
    for type in schema.types.elements {
      switch type {
      case .inputObject(let input): reportDuplicates("input field", input.fields, of: type.name)
      case .enum(let enumType): reportDuplicates("value", enumType.values, of: type.name)
      case .scalar, .object, .interface, .union: continue
      }
    }
  }

  /// Arguments have unique names within their field or directive (sections 3.6, 3.13).
  mutating func uniqueArgumentNames() {
    for members in fields {
      for position in members.indices where members.elements[position].arguments.hasDuplicates {
        reportDuplicates(
          "argument", members.elements[position].arguments,
          of: members.coordinate(at: position).description)
      }
    }
    for directive in schema.directives.elements {
      reportDuplicates("argument", directive.arguments, of: "@" + directive.name)
    }
  }

  mutating func reportDuplicates<Element: NamedElement>(
    _ what: String, _ list: NamedList<Element>, of owner: String, code: String = "UniqueNames"
  ) {
    guard list.hasDuplicates else { return }
    var firsts: [String: SourceRange] = [:]
    for element in list.elements {
      guard let first = firsts[element.name] else {
        firsts[element.name] = element.nameRange
        continue
      }
      diagnostics.add(
        code, "\(quoted(owner)) has more than one \(what) \(quoted(element.name)).",
        at: element.nameRange, notes: [("The first one is here.", first)])
    }
  }
}

extension FieldDefinition {
  /// Whether both have the same type and arguments, regardless of their descriptions.
  fileprivate func hasSameSignature(as other: FieldDefinition) -> Bool {
    type == other.type && arguments.count == other.arguments.count
      && zip(arguments, other.arguments).allSatisfy {
        $0.name == $1.name && $0.type == $1.type && $0.defaultValue == $1.defaultValue
      }
  }
}

/// Whether the text is a name (section 2.1.8).
// Safe: the index stays below the count of the bytes, which the string keeps valid.
func isValidName(_ name: String) -> Bool {
  var name = name
  return name.withUTF8 { bytes in
    guard let base = bytes.baseAddress, bytes.count > 0, unsafe isNameStart(base[0]) else {
      return false
    }
    var index = 1
    while index < bytes.count {
      if unsafe !isNameContinue(base[index]) { return false }
      index &+= 1
    }
    return true
  }
}

extension TypeSystemValidator {
  /// A directive definition has locations (section 3.13).
  mutating func directiveLocations() {
    for directive in schema.directives.elements where directive.locations.isEmpty {
      diagnostics.add(
        "DirectiveLocations",
        "\(quoted("@" + directive.name)) must have at least one location.", at: directive.nameRange)
    }
  }

  /// A directive definition does not use itself: in its own arguments, or in a type or directive
  /// that these use (section 3.13).
  mutating func directiveDefinitionCycles() {
    let directives = schema.directives.elements
    if directives.isEmpty { return }
    var index: [SchemaCoordinate: Int] = [:]
    for directive in directives { index[.directive(directive.name)] = index.count }
    for type in schema.types.elements where type.isInputType {
      index[.type(type.name)] = index.count
    }
    let used =
      directives.map { uses(of: $0.arguments) + uses(of: $0.directives) }
      + schema.types.elements.filter(\.isInputType).map { uses(of: $0) }
    let graph = DirectedGraph(successors: used.map { $0.compactMap { index[$0] } })
    for component in graph.cyclicComponents() {
      // Input objects may refer to each other; only a cycle with a directive in it is wrong.
      guard let first = component.first, first < directives.count else { continue }
      diagnostics.add(
        "DirectiveDefinitionCycles",
        "\(quoted("@" + directives[first].name)) cannot be used in its own definition.",
        at: directives[first].nameRange)
    }
  }

  /// The directives and types that a type mentions.
  private func uses(of type: NamedType) -> [SchemaCoordinate] {
    var uses = uses(of: type.directives)
    switch type {
    case .inputObject(let input): uses += self.uses(of: input.fields)
    case .enum(let enumType):
      for value in enumType.values.elements { uses += self.uses(of: value.directives) }
    case .scalar, .object, .interface, .union: break
    }
    return uses
  }

  private func uses(of values: NamedList<InputValueDefinition>) -> [SchemaCoordinate] {
    values.elements.flatMap { [.type($0.type.namedType)] + uses(of: $0.directives) }
  }

  private func uses(of directives: [Document.Directive]) -> [SchemaCoordinate] {
    directives.map { .directive($0.name) }
  }

  /// Every applied directive in the schema satisfies the rules of ``DirectiveChecker``.
  mutating func appliedDirectives() {
    check(schema.definition.directives, at: .schema)
    for directive in schema.directives.elements {
      check(directive.directives, at: .directiveDefinition)
    }
    for type in schema.types.elements {
      switch type {
      case .scalar: check(type.directives, at: .scalar)
      case .object: check(type.directives, at: .object)
      case .interface: check(type.directives, at: .interface)
      case .union: check(type.directives, at: .union)
      case .inputObject: check(type.directives, at: .inputObject)
      case .enum(let enumType):
        check(type.directives, at: .enum)
        for value in enumType.values.elements { check(value.directives, at: .enumValue) }
      }
    }
    for members in fields {
      for position in members.indices {
        check(members.elements[position].directives, at: .fieldDefinition)
      }
    }
    for members in inputValues {
      let location: DirectiveLocation =
        if case .type = members.owner { .inputFieldDefinition } else { .argumentDefinition }
      for position in members.indices {
        check(members.elements[position].directives, at: location)
      }
    }
  }

  private mutating func check(_ directives: [Document.Directive], at location: DirectiveLocation) {
    if directives.isEmpty { return }
    var checker = DirectiveChecker(schema: schema, diagnostics: diagnostics)
    checker.check(directives, at: location)
    diagnostics = checker.diagnostics
  }
}

/// The rules of chapter 3 about combinations of definitions and extensions, which cannot be checked
/// after they are merged into a schema.
struct DefinitionValidator {
  let definitions: [Document.Definition]
  /// The first type of each name.
  let types: [String: NamedType]
  var diagnostics: DiagnosticCollector

  init(documents: [Document], diagnostics: DiagnosticCollector) {
    definitions = documents.flatMap(\.definitions)
    var types: [String: NamedType] = [:]
    for case .type(let type) in definitions where types[type.name] == nil {
      types[type.name] = type
    }
    self.types = types
    self.diagnostics = diagnostics
  }

  mutating func validate() {
    onlyTypeSystemDefinitions()
    loneSchemaDefinition()
    uniqueTypeNames()
    builtInTypeNames()
    uniqueDirectiveNames()
    extensionTargets()
    directiveExtensionTargets()
    oneOfNotInExtensions()
  }
}

extension DefinitionValidator {
  /// A type-system document has no operations and fragments (section 3).
  mutating func onlyTypeSystemDefinitions() {
    for definition in definitions {
      let (what, range): (String, SourceRange)
      switch definition {
      case .operation(let operation): (what, range) = ("operation", operation.nameRange)
      case .fragment(let fragment): (what, range) = ("fragment", fragment.nameRange)
      default: continue
      }
      diagnostics.add(
        "OnlyTypeSystemDefinitions", "A schema cannot contain this \(what).", at: range)
    }
  }

  /// There is at most one schema definition (section 3.3.1).
  mutating func loneSchemaDefinition() {
    var first: SourceRange?
    for case .schema(let schema) in definitions {
      if let first {
        diagnostics.add(
          "LoneSchemaDefinition", "There can be only one schema definition.", at: schema.range,
          suggestion: "Use \"extend schema\" to add to the first one.",
          notes: [("The first one is here.", first)])
      } else {
        first = schema.range
      }
    }
  }

  /// No two types have the same name (section 3.3).
  mutating func uniqueTypeNames() {
    for case .type(let type) in definitions {
      guard let first = types[type.name], first.nameRange.place != type.nameRange.place else {
        continue
      }
      diagnostics.add(
        "UniqueTypeNames", "There is more than one type \(quoted(type.name)).", at: type.nameRange,
        notes: [("The first one is here.", first.nameRange)])
    }
  }

  /// No type has the name of a built-in scalar (section 3.3), except that the scalar itself may be
  /// defined; it must then not have `@specifiedBy` (section 3.5).
  mutating func builtInTypeNames() {
    for case .type(let type) in definitions where BuiltIn.isScalar(type.name) {
      guard case .scalar(let scalar) = type else {
        diagnostics.add(
          "BuiltInTypeNames", "\(quoted(type.name)) is the name of a built-in scalar.",
          at: type.nameRange)
        continue
      }
      if let directive = scalar.directives["specifiedBy"] {
        diagnostics.add(
          "BuiltInTypeNames",
          "\"@specifiedBy\" cannot be applied to the built-in scalar \(quoted(type.name)).",
          at: directive.range)
      }
    }
  }

  /// No two directives have the same name (section 3.3).
  mutating func uniqueDirectiveNames() {
    var firsts: [String: SourceRange] = [:]
    for case .directive(let directive) in definitions {
      guard let first = firsts[directive.name] else {
        firsts[directive.name] = directive.nameRange
        continue
      }
      diagnostics.add(
        "UniqueDirectiveNames", "There is more than one directive \(quoted("@" + directive.name)).",
        at: directive.nameRange, notes: [("The first one is here.", first)])
    }
  }

  /// The target of an extension is defined and has the same kind (section 3.4.3).
  mutating func extensionTargets() {
    for case .typeExtension(let added) in definitions {
      guard let type = types[added.name] else {
        let candidates = types.values.filter { $0.kind == added.kind }.map(\.name)
        diagnostics.add(
          "ExtensionTargets", "Cannot extend type \(quoted(added.name)): it is not defined.",
          at: added.nameRange,
          suggestion: didYouMean(added.name, among: candidates)
            ?? "Add the file that defines it, or use --allow-undefined for a part of a schema.")
        continue
      }
      if type.kind != added.kind {
        diagnostics.add(
          "ExtensionTargets",
          "Cannot extend \(quoted(added.name)) as \(added.kind.phrase): it is \(type.kind.phrase).",
          at: added.nameRange, notes: [("It is defined here.", type.nameRange)])
      }
    }
  }

  /// The target of a directive's extension is defined.
  mutating func directiveExtensionTargets() {
    var names = Set(BuiltIn.directives.elements.map(\.name))
    for case .directive(let directive) in definitions { names.insert(directive.name) }
    for case .directiveExtension(let added) in definitions where !names.contains(added.name) {
      diagnostics.add(
        "ExtensionTargets", "Cannot extend \(quoted("@" + added.name)): it is not defined.",
        at: added.nameRange, suggestion: didYouMean(added.name, among: names))
    }
  }

  /// An extension does not apply `@oneOf` (section 3.10.2).
  mutating func oneOfNotInExtensions() {
    for case .typeExtension(.inputObject(let added)) in definitions {
      guard let directive = added.directives["oneOf"] else { continue }
      diagnostics.add(
        "OneOfNotInExtensions", "\"@oneOf\" cannot be applied in an extension.",
        at: directive.range,
        suggestion: "Apply it where \(quoted(added.name)) is defined.")
    }
  }
}

extension SourceRange {
  /// The range's position as a comparable value.
  var place: SIMD3<UInt32> { SIMD3(source, start, end) }
}

extension TypeKind {
  /// The kind as messages show it.
  var phrase: String {
    switch self {
    case .scalar: "a scalar"
    case .object: "an object type"
    case .interface: "an interface"
    case .union: "a union"
    case .enum: "an enum"
    case .inputObject: "an input object"
    }
  }
}

/// Which violations of the specification's chapter 3 are errors when a schema is read.
public struct SchemaRules: Sendable, Hashable {
  private let isForClients: Bool
  /// Whether the first extension of a type that is not defined is its definition, with a warning:
  /// for a part of a schema whose other parts are elsewhere, such as a subgraph of a federation.
  public var allowsUndefinedTypes = false

  private init(isForClients: Bool) { self.isForClients = isForClients }

  /// All of them. For the schema of your own service.
  public static let specification = SchemaRules(isForClients: false)
  /// Those without which generated code or an executed document would be wrong. All others are
  /// warnings: published schemas of existing services violate them, and a client cannot correct
  /// another's schema.
  public static let client = SchemaRules(isForClients: true)

  /// Whether a violation with this code is only a warning.
  func tolerate(_ code: String) -> Bool { isForClients && Self.tolerated.contains(code) }

  /// The codes of violations that concern only the service. Documentation/Schemas.md has the reasons.
  static let tolerated: Set<String> = [
    // Default values. A client sends none, and the service completes what is left out.
    "DefaultValues", "UnreadableDefaultValue",
    // Deprecations and texts, which are only shown.
    "RequiredNotDeprecated", "ImplementedDeprecation", "UnreadableText",
    // Directives in the schema. A client interprets only built-in ones.
    "KnownDirectives", "DirectiveLocations", "UniqueDirectives", "KnownArguments",
    "UniqueArguments", "RequiredArguments", "ArgumentValues", "DirectiveDefinitionCycles",
    "DirectiveArgumentTypes", "OneOfNotInExtensions",
    // Arguments of interfaces. The service checks those that a document uses.
    "ImplementedArguments", "AdditionalArguments",
    // Input objects. The service never accepts a value of such a type.
    "OneOfFields", "InputObjectCycles",
    // Types without members, as services show them to users without rights.
    "FieldsNonEmpty", "MembersNonEmpty", "ValuesNonEmpty",
    // Names that are harmless in Swift. Definitions of introspection's own types are left out.
    "ReservedNames", "IntrospectionTypes", "EnumValueNames",
    // Equal repetitions.
    "RepeatedFields", "RepeatedOperationTypes",
    // Kinds of types that a later edition of the specification adds. Fields of these types are left
    // out.
    "UnknownKind",
  ]
}
