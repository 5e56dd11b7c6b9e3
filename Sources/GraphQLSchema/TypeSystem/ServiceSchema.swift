/// A type system: named types, directives and root operation types (section 3.3).
///
/// Immutable. The public initialisers only return schemas that satisfy every rule of chapter 3. So
/// every name in a schema refers to an existing type, but its kind has to be checked.
public final class ServiceSchema: Sendable {
  /// The description, directives and root operation types, with all extensions merged in.
  public let definition: SchemaDefinition
  /// The types that the sources define, in the order of their definitions, with extensions merged
  /// in. Without the built-in scalars and the types of introspection.
  public let types: NamedList<NamedType>
  /// The directives that the sources define, in the order of their definitions, without built-in
  /// ones.
  public let directives: NamedList<DirectiveDefinition>
  /// The sources to which the ranges of the definitions refer.
  public let sources: [Source]
  /// Findings that a strict reading of the specification forbids but existing services contain. After
  /// many, the last element is a note of how many more there are.
  public let warnings: [Diagnostic]
  /// The number of warnings by code, with those that are not listed.
  package let warningCounts: [String: Int]
  /// Names of the implementing object types by interface, in schema order.
  let implementingObjects: [String: [String]]
  /// Names of the implementing interface types by interface, in schema order.
  let implementingInterfaces: [String: [String]]

  init(
    definition: SchemaDefinition, types: NamedList<NamedType>,
    directives: NamedList<DirectiveDefinition>, sources: [Source], warnings: [Diagnostic] = [],
    warningCounts: [String: Int] = [:]
  ) {
    self.definition = definition
    self.types = types
    self.directives = directives
    self.sources = sources
    self.warnings = warnings
    self.warningCounts = warningCounts
    var objects: [String: [String]] = [:]
    var interfaces: [String: [String]] = [:]
    for type in types.elements {
      switch type {
      case .object(let object):
        for interface in object.interfaces.elements {
          objects[interface.name, default: []].append(object.name)
        }
      case .interface(let implementing):
        for interface in implementing.interfaces.elements {
          interfaces[interface.name, default: []].append(implementing.name)
        }
      default: break
      }
    }
    implementingObjects = objects
    implementingInterfaces = interfaces
  }

  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String? { definition.description }
}

extension ServiceSchema: Equatable {
  /// Whether both have the same definitions in the same order; positions do not matter.
  public static func == (lhs: ServiceSchema, rhs: ServiceSchema) -> Bool {
    lhs === rhs
      || lhs.definition == rhs.definition && lhs.types == rhs.types
        && lhs.directives == rhs.directives
  }
}

extension ServiceSchema {
  /// The type with that name, including built-in scalars and introspection types. Constant time.
  public func type(named name: String) -> NamedType? {
    types[name] ?? BuiltIn.types[name]
  }

  /// The own field of a type with that name. Other modules have no specialised lookup in lists.
  package func field(named name: String, on type: NamedType) -> FieldDefinition? {
    type.fields?[name]
  }

  /// The type under all list and non-null wrappers of a reference.
  public func namedType(of reference: TypeReference) -> NamedType? {
    type(named: reference.namedType)
  }

  /// The directive with that name, including built-in ones. Constant time.
  public func directive(named name: String) -> DirectiveDefinition? {
    directives[name] ?? BuiltIn.directives[name]
  }

  /// The built-in scalars (section 3.5) and the types of introspection (section 4.2).
  public static var builtInTypes: NamedList<NamedType> { BuiltIn.types }

  /// `@skip`, `@include`, `@deprecated`, `@specifiedBy` and `@oneOf` (section 3.13).
  public static var builtInDirectives: NamedList<DirectiveDefinition> { BuiltIn.directives }

  /// The root type of an operation type; nil if the schema does not support it (section 3.3.1).
  public func rootType(for operationType: OperationType) -> ObjectType? {
    guard
      let root = definition.operationTypes.first(where: { $0.operationType == operationType }),
      case .object(let type)? = types[root.type.name]
    else { return nil }
    return type
  }

  /// The root type of queries; every valid schema has one.
  public var queryType: ObjectType? { rootType(for: .query) }
  /// The root type of mutations; nil if there are none.
  public var mutationType: ObjectType? { rootType(for: .mutation) }
  /// The root type of subscriptions; nil if there are none.
  public var subscriptionType: ObjectType? { rootType(for: .subscription) }
}

extension ServiceSchema {
  /// The object types that a value of the type may have, in schema order; a union's in the order of
  /// its members; the type itself for an object type (section 5.5.2.3 GetPossibleTypes).
  public func possibleTypes(of type: NamedType) -> [ObjectType] {
    let names: [String]
    switch type {
    case .object(let object): return [object]
    case .interface(let interface): names = implementingObjects[interface.name] ?? []
    case .union(let union): names = union.members.map(\.name)
    case .scalar, .enum, .inputObject: return []
    }
    return names.compactMap {
      if case .object(let object)? = types[$0] { object } else { nil }
    }
  }

  /// The object and interface types that declare an interface, objects first, in schema order.
  public func implementations(of interface: InterfaceType) -> [NamedType] {
    let objects = implementingObjects[interface.name] ?? []
    let interfaces = implementingInterfaces[interface.name] ?? []
    return (objects + interfaces).compactMap { types[$0] }
  }

  /// Whether every value of the first type is one of the second: the same type, a member of the
  /// union, or a declared implementation of the interface.
  public func isSubtype(_ name: String, of supertype: String) -> Bool {
    if name == supertype { return true }
    switch types[supertype] {
    case .union(let union): return union.members.contains(name: name)
    case .interface: return types[name]?.interfaces?.contains(name: supertype) ?? false
    default: return false
    }
  }

  /// Whether a field of the first type is valid where the second is declared (section 3.7
  /// IsValidImplementationFieldType): lists and non-nulls match or the first is stricter.
  public func isSubtype(_ type: TypeReference, of supertype: TypeReference) -> Bool {
    switch (type, supertype) {
    case (.nonNull(let type), .nonNull(let supertype)): isSubtype(type, of: supertype)
    case (.nonNull(let type), _): isSubtype(type, of: supertype)
    case (.list(let item), .list(let superitem)): isSubtype(item, of: superitem)
    case (.named(let name), .named(let supername)): isSubtype(name, of: supername)
    default: false
    }
  }
}

/// A schema's description, directives and root operation types (section 3.3).
public struct SchemaDefinition: Sendable, Equatable {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The root operation types.
  public var operationTypes: [RootOperationTypeDefinition]
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a schema definition.
  public init(
    description: String? = nil, directives: [Document.Directive] = [],
    operationTypes: [RootOperationTypeDefinition] = [], range: SourceRange = .none
  ) {
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.range = range
  }
}

/// The type at the root of one kind of operation: `query: QueryRoot` (section 3.3.1).
public struct RootOperationTypeDefinition: Sendable, Equatable {
  /// Whether it is a query, a mutation or a subscription.
  public var operationType: OperationType
  /// The type.
  public var type: TypeName
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a root operation type definition.
  public init(operationType: OperationType, type: TypeName, range: SourceRange = .none) {
    self.operationType = operationType
    self.type = type
    self.range = range
  }
}

extension ServiceSchema {
  /// Reads a schema from type-system documents (SDL). Extensions are merged, also across files.
  ///
  /// - Parameter rules: which violations of chapter 3 are errors; the others are ``warnings``. The
  ///   default is for clients: a server uses ``SchemaRules/specification`` for its own schema.
  /// - Throws: all syntax errors or, if there are none, all violations.
  public convenience init(
    sources: [Source], rules: SchemaRules = .client
  ) throws(Diagnostics) {
    var diagnostics = DiagnosticCollector(sources: sources, rules: rules)
    let documents = sources.indices.map {
      Document(sources[$0], index: UInt32($0), &diagnostics)
    }
    try self.init(validating: documents, &diagnostics)
  }

  /// Reads a schema from the text of one type-system document.
  ///
  /// - Parameter rules: which violations of chapter 3 are errors; the others are ``warnings``. The
  ///   default is for clients: a server uses ``SchemaRules/specification`` for its own schema.
  /// - Throws: all syntax errors or, if there are none, all violations of `rules`.
  public convenience init(
    sdl: String, name: String = "schema", rules: SchemaRules = .client
  ) throws(Diagnostics) {
    try self.init(sources: [Source(name: name, text: sdl)], rules: rules)
  }

  /// Combines the documents and checks every rule of chapter 3, unless reading them failed.
  convenience init(
    validating documents: [Document], _ diagnostics: inout DiagnosticCollector
  ) throws(Diagnostics) {
    if diagnostics.hasErrors { throw diagnostics.finish() }
    let documents =
      diagnostics.rules.allowsUndefinedTypes
      ? documents.definingExtendedTypes(&diagnostics) : documents
    let draft = ServiceSchema(documents: documents, sources: diagnostics.sources)
    var definitions = DefinitionValidator(documents: documents, diagnostics: diagnostics)
    definitions.validate()
    var validator = TypeSystemValidator(schema: draft, diagnostics: definitions.diagnostics)
    validator.validate()
    if validator.diagnostics.hasErrors { throw validator.diagnostics.finish() }
    var types = draft.types
    if validator.foundRepeatedFields {
      types = NamedList(types.map { $0.withoutRepeatedFields })
    }
    if types.contains(where: { BuiltIn.isIntrospection($0.name) }) {
      types = NamedList(types.filter { !BuiltIn.isIntrospection($0.name) })
    }
    self.init(
      definition: draft.definition.withoutRepeatedRoots, types: types,
      directives: draft.directives, sources: draft.sources,
      warnings: validator.diagnostics.finish().elements,
      warningCounts: validator.diagnostics.warningCounts)
  }
}

extension ServiceSchema {
  /// Combines the definitions of all documents: extensions are merged, built-in definitions left
  /// out. If something is defined twice, the first definition counts. Checks nothing.
  convenience init(documents: [Document], sources: [Source]) {
    var schemaDefinition: SchemaDefinition?
    var schemaExtensions: [SchemaDefinition] = []
    var types: [NamedType] = []
    var directives: [DirectiveDefinition] = []
    var extensions: [String: [NamedType]] = [:]
    var directiveExtensions: [String: [Document.Directive]] = [:]
    var typeNames: Set<String> = []
    var directiveNames: Set<String> = []

    for definition in documents.flatMap(\.definitions) {
      switch definition {
      case .schema(let schema): schemaDefinition = schemaDefinition ?? schema
      case .schemaExtension(let schema): schemaExtensions.append(schema)
      case .typeExtension(let type): extensions[type.name, default: []].append(type)
      case .type(let type):
        if BuiltIn.isScalar(type.name) || !typeNames.insert(type.name).inserted { continue }
        types.append(type)
      case .directive(let directive):
        if directive.isBuiltIn || !directiveNames.insert(directive.name).inserted { continue }
        directives.append(directive)
      case .directiveExtension(let directive):
        directiveExtensions[directive.name, default: []] += directive.directives
      case .operation, .fragment: continue
      }
    }
    if !extensions.isEmpty {
      types = types.map { $0.merging(extensions[$0.name] ?? []) }
    }
    if !directiveExtensions.isEmpty {
      for position in directives.indices {
        directives[position].directives += directiveExtensions[directives[position].name] ?? []
      }
    }
    var definition = schemaDefinition ?? .byDefaultNames(typeNames)
    for added in schemaExtensions {
      definition.directives += added.directives
      definition.operationTypes += added.operationTypes
    }
    definition.operationTypes = OperationType.allCases.flatMap { operationType in
      definition.operationTypes.filter { $0.operationType == operationType }
    }
    self.init(
      definition: definition, types: NamedList(types), directives: NamedList(directives),
      sources: sources)
  }
}

extension SchemaDefinition {
  /// The result without a schema definition: the types with the default root type names (section
  /// 3.3.1).
  fileprivate static func byDefaultNames(_ typeNames: Set<String>) -> SchemaDefinition {
    let operationTypes = OperationType.allCases.filter {
      typeNames.contains($0.defaultRootTypeName)
    }
    return SchemaDefinition(
      operationTypes: operationTypes.map {
        RootOperationTypeDefinition(operationType: $0, type: TypeName($0.defaultRootTypeName))
      })
  }
}

extension OperationType {
  /// Section 3.3.1, Default Root Operation Type Names.
  package var defaultRootTypeName: String {
    switch self {
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }
}

extension DirectiveDefinition {
  /// Whether it repeats a built-in directive or an earlier edition's form of it, i.e. it has no
  /// argument, location or repetition that the built-in one does not have.
  fileprivate var isBuiltIn: Bool {
    guard let builtIn = BuiltIn.directives[name] else { return false }
    return !isRepeatable
      && arguments.elements.allSatisfy { builtIn.arguments.contains(name: $0.name) }
      && locations.allSatisfy(builtIn.locations.contains)
  }
}

extension [Document] {
  /// The documents, in which the first extension of each type that is not defined is its definition.
  func definingExtendedTypes(_ diagnostics: inout DiagnosticCollector) -> [Document] {
    var defined: Set<String> = []
    for case .type(let type) in flatMap(\.definitions) { defined.insert(type.name) }
    var documents = self
    for document in documents.indices {
      for position in documents[document].definitions.indices {
        guard case .typeExtension(let type) = documents[document].definitions[position],
          !BuiltIn.types.contains(name: type.name), defined.insert(type.name).inserted
        else { continue }
        documents[document].definitions[position] = .type(type)
        diagnostics.add(
          "UndefinedTypes",
          "The type \(quoted(type.name)) is not defined; this extension counts as its definition.",
          at: type.nameRange, as: .warning)
      }
    }
    return documents
  }
}

/// A directive that may be applied in documents (section 3.13).
public struct DirectiveDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name without the at sign.
  public var name: String
  /// The arguments, in the order in which they are written.
  public var arguments: NamedList<InputValueDefinition>
  /// Whether it may be applied more than once at one location.
  public var isRepeatable: Bool
  /// The locations where it may be applied.
  public var locations: [DirectiveLocation]
  /// Directives that are applied to the definition itself (a proposal for the specification).
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a directive definition.
  public init(
    description: String? = nil, name: String, arguments: NamedList<InputValueDefinition> = [],
    isRepeatable: Bool = false, locations: [DirectiveLocation],
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.isRepeatable = isRepeatable
    self.locations = locations
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }
}

/// A location where a directive may be applied (section 3.13).
public enum DirectiveLocation: String, Sendable, CaseIterable {
  case query = "QUERY"
  case mutation = "MUTATION"
  case subscription = "SUBSCRIPTION"
  case field = "FIELD"
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  case fragmentSpread = "FRAGMENT_SPREAD"
  case inlineFragment = "INLINE_FRAGMENT"
  case variableDefinition = "VARIABLE_DEFINITION"
  /// A proposal for the specification (arguments of fragments), which schemas may name already. Documents
  /// cannot contain one.
  case fragmentVariableDefinition = "FRAGMENT_VARIABLE_DEFINITION"
  case schema = "SCHEMA"
  case scalar = "SCALAR"
  case object = "OBJECT"
  case fieldDefinition = "FIELD_DEFINITION"
  case argumentDefinition = "ARGUMENT_DEFINITION"
  case interface = "INTERFACE"
  case union = "UNION"
  case `enum` = "ENUM"
  case enumValue = "ENUM_VALUE"
  case inputObject = "INPUT_OBJECT"
  case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
  /// A proposal for the specification.
  case directiveDefinition = "DIRECTIVE_DEFINITION"

  /// Whether the directive is applied in documents rather than in schemas (section 3.13).
  package var isExecutable: Bool {
    switch self {
    case .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread,
      .inlineFragment, .variableDefinition, .fragmentVariableDefinition:
      true
    default: false
    }
  }
}

/// The default reason of `@deprecated` (section 3.13.3).
public let defaultDeprecationReason = "No longer supported"

extension [Document.Directive] {
  /// The first application of a directive.
  public subscript(name: String) -> Document.Directive? {
    isEmpty ? nil : first { $0.name == name }
  }

  /// The reason of `@deprecated`; nil if it is not applied (section 3.13.3).
  package var deprecationReason: String? {
    guard let directive = self["deprecated"] else { return nil }
    if case .string(let reason)? = directive.argument("reason")?.kind { return reason }
    return defaultDeprecationReason
  }
}

extension NamedType {
  /// The levels of a field's type that are null only with an error, as `@semanticNonNull` at the field
  /// or `@semanticNonNullField` at the type states (a proposal for the specification): 0 is the value,
  /// 1 an item of its list.
  package func semanticNonNullLevels(of field: FieldDefinition) -> Set<Int> {
    if field.directives.isEmpty, directives.isEmpty { return [] }
    let ofType = directives.filter {
      $0.name == "semanticNonNullField" && $0.argument("name")?.kind == .string(field.name)
    }
    let applied = field.directives.filter { $0.name == "semanticNonNull" } + ofType
    return Set(applied.flatMap(\.levels))
  }
}

extension Document.Directive {
  /// The argument `levels`, whose default value is `[0]`.
  fileprivate var levels: [Int] {
    guard let argument = argument("levels") else { return [0] }
    guard case .list(let items) = argument.kind else { return [argument].compactMap(\.integer) }
    return items.compactMap(\.integer)
  }
}

extension Document.Value {
  fileprivate var integer: Int? { if case .int(let digits) = kind { Int(digits) } else { nil } }
}

/// The name of an element of a schema (section 2.14): `Product.title`, `Query.products(first:)`.
public enum SchemaCoordinate: Sendable, Hashable, CustomStringConvertible {
  case type(String)
  /// A field, input field or enum value.
  case member(type: String, name: String)
  case argument(type: String, field: String, name: String)
  case directive(String)
  case directiveArgument(directive: String, name: String)

  /// The coordinate as text, e.g. `Query.products(first:)`.
  public var description: String {
    switch self {
    case .type(let name): name
    case .member(let type, let name): "\(type).\(name)"
    case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
    case .directive(let name): "@\(name)"
    case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
    }
  }
}

extension SchemaCoordinate {
  /// nil if the text is not a coordinate, e.g. because a name is missing or not a name.
  public init?(_ text: String) {
    var rest = text[...]
    let isDirective = rest.removePrefix("@")
    var argument: String?
    if rest.removeSuffix(":)") {
      guard let opening = rest.firstIndex(of: "(") else { return nil }
      argument = String(rest[rest.index(after: opening)...])
      rest = rest[..<opening]
    }
    let names = rest.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (names + [argument].compactMap(\.self)).allSatisfy(isValidName) else { return nil }
    switch (isDirective, names.count, argument) {
    case (true, 1, nil): self = .directive(names[0])
    case (true, 1, let argument?): self = .directiveArgument(directive: names[0], name: argument)
    case (false, 1, nil): self = .type(names[0])
    case (false, 2, nil): self = .member(type: names[0], name: names[1])
    case (false, 2, let argument?):
      self = .argument(type: names[0], field: names[1], name: argument)
    default: return nil
    }
  }
}

extension Substring {
  fileprivate mutating func removePrefix(_ prefix: String) -> Bool {
    guard hasPrefix(prefix) else { return false }
    removeFirst(prefix.count)
    return true
  }

  fileprivate mutating func removeSuffix(_ suffix: String) -> Bool {
    guard hasSuffix(suffix) else { return false }
    removeLast(suffix.count)
    return true
  }
}

extension ServiceSchema {
  /// The code of the error about a type whose `ofType` was not selected.
  package static let cutOffTypeCode = "CutOffType"

  /// Reads a schema from introspection results, type-system documents, or both. The format of each
  /// source is detected, and extensions in one may extend types of another.
  ///
  /// - Parameter rules: which violations of chapter 3 are errors; the others are ``warnings``. The
  ///   default is for clients: a server uses ``SchemaRules/specification`` for its own schema.
  /// - Throws: all errors that prevent reading the sources or, if there are none, all violations.
  public static func read(
    _ sources: [Source], rules: SchemaRules = .client
  ) throws(Diagnostics) -> ServiceSchema {
    var diagnostics = DiagnosticCollector(sources: sources, rules: rules)
    if sources.isEmpty {
      throw Diagnostics([Diagnostic(code: "empty", message: "There is no schema to read.")])
    }
    var documents: [Document] = []
    for (index, source) in sources.enumerated() {
      if let error = source.foreignContent() {
        diagnostics.add(error, source: UInt32(index))
      } else if source.format == .introspection {
        documents.append(Document(introspection: source, index: UInt32(index), &diagnostics))
      } else {
        documents.append(Document(source, index: UInt32(index), &diagnostics))
      }
    }
    return try ServiceSchema(validating: documents, &diagnostics)
  }

  /// Reads a schema from the JSON result of an introspection query of any era (section 4), with or
  /// without its `data` wrapper.
  ///
  /// Applied directives are not part of introspection, except `@deprecated`, `@specifiedBy` and
  /// `@oneOf`, which have their own fields.
  ///
  /// - Parameter rules: which violations of chapter 3 are errors; the others are ``warnings``. The
  ///   default is for clients: a server uses ``SchemaRules/specification`` for its own schema.
  public convenience init(
    introspection source: Source, rules: SchemaRules = .client
  ) throws(Diagnostics) {
    var diagnostics = DiagnosticCollector(sources: [source], rules: rules)
    if let error = source.foreignContent() {
      diagnostics.add(error, source: 0)
      throw diagnostics.finish()
    }
    let document = Document(introspection: source, index: 0, &diagnostics)
    try self.init(validating: [document], &diagnostics)
  }
}

/// The formats of a schema.
public enum SourceFormat: Sendable, Equatable {
  /// The JSON result of an introspection query (section 4).
  case introspection
  /// A type-system document (section 3).
  case typeSystemDocument
}

extension Source {
  /// The format of the source, detected by its start and by the extension of its name.
  ///
  /// A brace followed by a quote starts JSON and never a type-system document, whatever the name
  /// is. Otherwise the extension `json` decides.
  public var format: SourceFormat {
    var start = bytes.drop { isBlank($0) }
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3).drop { isBlank($0) } }
    if start.first == 0x5B { return .introspection }
    if start.first == 0x7B, start.dropFirst().first(where: { !isBlank($0) }) == 0x22 {
      return .introspection
    }
    return name.lowercased().hasSuffix(".json") ? .introspection : .typeSystemDocument
  }

  /// A source that is certainly not a schema in either format.
  func foreignContent() -> SyntaxError? {
    let content = bytes.drop { isBlank($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    if content.isEmpty {
      return SyntaxError(message: "The file is empty.", start: 0, end: 0)
    }
    if let error = wideEncodingError() { return error }
    guard content.first == 0x3C else { return nil }
    return SyntaxError(
      message: "This is HTML or XML, not a schema.", start: content.startIndex,
      end: content.startIndex + 1,
      suggestion: "Check the URL of the schema, and whether the server requires a token.")
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
