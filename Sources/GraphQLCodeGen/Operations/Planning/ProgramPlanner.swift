#if !ONE_MODULE
  import GraphQLSchema
#endif

/// The common part of the plans of all definitions of a program.
final class ProgramPlanner {
  let schema: ServiceSchema
  let configuration: Configuration
  let types: TypeResolver
  let wantedNames: WantedNames
  let conversion: CaseConversion
  let fragments: CompletedFragments
  /// The modules of fragments that are not the module's own.
  private let modules: [String: OperationsPipeline.Module]
  /// The names that no nested type may have, since code can mention them anywhere: the first words of
  /// Swift types.
  private let mentioned: WordSet
  /// The names that no property may have. The text of a fragment mentions the namespaces, which a property of
  /// their name would hide.
  let propertyNames: WordSet
  private var views: [String: View] = [:]
  private var dumps: [String: [UInt8]] = [:]
  private let fragmentTypes: [String: String]

  /// The parts of a planner that threads share. Each has its own planner, which remembers what it has found.
  final class Input: Sendable {
    let schema: ServiceSchema
    /// The part of the schema that is generated, and the names of its types.
    let selected: SelectedSchema
    let names: TypeNames
    let configuration: Configuration
    let fragments: CompletedFragments
    /// The modules of fragments that are not the module's own.
    let modules: [String: OperationsPipeline.Module]
    let schemaModule: String?

    init(
      schema: ServiceSchema, selected: SelectedSchema, names: TypeNames,
      configuration: Configuration, fragments: CompletedFragments,
      modules: [String: OperationsPipeline.Module], schemaModule: String?
    ) {
      self.schema = schema
      self.selected = selected
      self.names = names
      self.configuration = configuration
      self.fragments = fragments
      self.modules = modules
      self.schemaModule = schemaModule
    }
  }

  init(_ input: Input) {
    schema = input.schema
    configuration = input.configuration
    types = TypeResolver(
      schema: input.selected, configuration: configuration, names: input.names)
    wantedNames = WantedNames(configuration)
    conversion = CaseConversion(acronyms: Set(configuration.acronyms))
    fragments = input.fragments.withAdded(
      TypeKeys(schema: input.selected, configuration: input.configuration))
    modules = input.modules
    fragmentTypes = fragments.definitions.mapValues(\.typeCondition.name)
    let scalars = configuration.scalars.values.flatMap { mapping -> [String] in
      guard case .custom(_, let module) = mapping.value else { return [] }
      return [module, mapping.value.firstName].compactMap(\.self)
    }
    let namespaces = [
      configuration.namespace, configuration.operations.namespace?.value, input.schemaModule,
    ]
    propertyNames = ReservedNames.selectedProperties.union(
      [RuntimeSymbols.namespace, configuration.namespace])
    // Structs have members of the first two names. Nested types of the other two hide what `T?` and `[T]` mean, with
    // which the compiler's time doubles for each type around them.
    mentioned = DefinitionNames.standardTypes.union([
      RuntimeSymbols.selectedFields, RuntimeSymbols.document, "Array", "Optional",
    ]).union(
      WordSet(Set(namespaces.compactMap(\.self) + scalars + modules.values.map(\.name))))
  }

  /// The view of a fragment: one for all places that spread it.
  func view(ofFragment name: String) throws(ViewBuilder.TooMany) -> View? {
    if let view = views[name] { return view }
    guard let fragment = fragments.definitions[name],
      let type = schema.type(named: fragment.typeCondition.name)
    else { return nil }
    let view = try view(of: fragment.selectionSet, on: type)
    views[name] = view
    dumps[name] = ViewChecksum.dump(fragment: name, view)
    return view
  }

  func view(
    of set: Document.SelectionSet, on type: NamedType
  ) throws(ViewBuilder.TooMany) -> View {
    var builder = ViewBuilder(schema: schema, fragmentTypes: fragmentTypes)
    return try builder.view(of: SelectionNode(set), on: type)
  }

  /// The text of a definition with its checksum.
  ///
  /// - Parameter dump: That of the definition itself.
  func text(
    _ name: String, _ document: SentDocument, dump: [UInt8]
  ) throws(ViewBuilder.TooMany) -> TextPlan {
    var parts = [dump]
    for fragment in document.fragments {
      _ = try view(ofFragment: fragment)
      parts.append(dumps[fragment] ?? [])
    }
    return TextPlan(
      name: name, text: document.text, hash: document.hash, shape: ViewChecksum.hash(parts))
  }

  /// The type of a fragment as the code of the module names it.
  ///
  /// - Parameter isQualified: Whether the code is outside of the namespace.
  func type(ofFragment name: String, isQualified: Bool) -> String {
    let type = DefinitionNames.type(ofFragment: name)
    guard let module = modules[name] else {
      let namespace = isQualified ? configuration.operations.namespace?.value : nil
      return [namespace, type].compactMap(\.self).joined(separator: ".")
    }
    return ([module.name, module.namespace].compactMap(\.self) + [type]).joined(separator: ".")
  }

  /// The first name of that type: the module, if the fragment is another one's.
  private func firstName(ofFragment name: String) -> String {
    modules[name]?.name ?? DefinitionNames.type(ofFragment: name)
  }

  /// Whether fragments of other modules are used.
  var usesOtherModules: Bool { !modules.isEmpty }

  /// The modules whose fragments are spread, directly.
  func modules(of spreads: [String]) -> [String] { spreads.compactMap { modules[$0]?.name } }

  /// The scope of names of a definition's nested types. The names that the code around them mentions are taken in it.
  func nestedTypes(of type: String, spreads: [String]) -> NameScope {
    var scope = NameScope(reserved: mentioned)
    for name in [type] + spreads.map(firstName(ofFragment:)) {
      _ = scope.claimLabel(name)
    }
    return scope
  }
}

extension ProgramPlanner {
  func plan(
    _ operation: OperationDefinition, clientDirectives: [String: [ClientDirectiveUse]]
  ) throws(ViewBuilder.TooMany) -> OperationPlan? {
    guard let name = operation.name, let type = DefinitionNames.type(of: operation),
      let root = schema.rootType(for: operation.operationType)
    else { return nil }
    let view = try view(of: operation.selectionSet, on: .object(root))
    let spreads = operation.selectionSet.spreads.map(\.name)
    let structs = StructPlanner(self, types: nestedTypes(of: type, spreads: spreads))
    let (variables, parameters) = self.variables(of: operation)
    return OperationPlan(
      name: type, kind: operation.operationType.protocolName,
      documentation: Documentation(
        description: operation.description
          ?? "The \(operation.operationType.rawValue) `\(name)`."),
      text: try text(
        name, fragments.sent(operation, spreads: spreads), dump: ViewChecksum.dump(view)),
      variables: variables, clientDirectives: clientDirectives[name] ?? [],
      initializer: Documentation(
        description: "Creates the \(operation.operationType.rawValue) with its variables.",
        parameters: parameters),
      data: structs.plan(view, named: RuntimeSymbols.data, path: type + "." + RuntimeSymbols.data))
  }

  func plan(_ fragment: FragmentDefinition) throws(ViewBuilder.TooMany) -> FragmentPlan? {
    let name = fragment.name
    // A fragment that was added has no struct.
    guard fragment.range.isKnown, let view = try view(ofFragment: name) else { return nil }
    let type = DefinitionNames.type(ofFragment: name)
    let spreads = fragment.selectionSet.spreads.map(\.name)
    let structs = StructPlanner(self, types: nestedTypes(of: type, spreads: spreads))
    return FragmentPlan(
      documentation: Documentation(
        description: fragment.description
          ?? "The fragment `\(name)` on `\(fragment.typeCondition.name)`."),
      text: try text(
        name, fragments.sent(fragment: name), dump: ViewChecksum.dump(fragment: name, view)),
      fields: structs.plan(view, named: type, path: type))
  }

  /// The parameters of an operation's initialiser, and their descriptions.
  private func variables(
    of operation: OperationDefinition
  ) -> ([ArgumentPlan], [Documentation.ParameterNote]) {
    let definitions = operation.variables
    var labels = NameScope()
    let isFree = definitions.map { $0.name != "_" && labels.claimLabel($0.name) }
    let names = definitions.indices.map {
      isFree[$0] ? definitions[$0].name : labels.claim(definitions[$0].name)
    }
    var scope = NameScope(reserved: ReservedNames.operationVariables)
    let variables = scope.claimAll(names)
    var plans: [ArgumentPlan] = []
    var notes: [Documentation.ParameterNote] = []
    for (index, definition) in definitions.enumerated() {
      let value = types.operationType(definition.type, isResult: false).madeRequired
      let isRequired = definition.type.isNonNull && definition.defaultValue == nil
      plans.append(
        ArgumentPlan(
          schemaName: definition.name, label: names[index], variable: variables[index],
          type: isRequired ? value : .optional(value), isRequired: isRequired))
      let text = "`\(definition.type.description)`."
      notes.append(
        .init(
          name: variables[index],
          description: definition.description.map { $0 + " " + text } ?? text,
          notes: definition.defaultValue.map { [.defaultValue($0.description)] } ?? []))
    }
    return (plans, notes)
  }
}

extension OperationType {
  /// The protocol of the runtime that an operation's type adopts.
  fileprivate var protocolName: String {
    switch self {
    case .query: RuntimeSymbols.typedQuery
    case .mutation: RuntimeSymbols.typedMutation
    case .subscription: RuntimeSymbols.typedSubscription
    }
  }
}

/// The generated file of a document, with every decision made. Free text is still raw; emitters escape
/// it as they write it.
struct DocumentPlan: Sendable {
  var fileName: String
  /// Modules to import, sorted.
  var imports: [String] = []
  /// Those with types that the declarations name.
  var visibleImports: Set<String> = []
  var definitions: [DefinitionPlan]
}

indirect enum DefinitionPlan: Sendable {
  case operation(OperationPlan)
  case fragment(FragmentPlan)
}

/// The text of a definition with those that it uses, and what identifies it.
struct TextPlan: Sendable {
  /// The name in the document.
  var name: String
  var text: String
  var hash: String
  /// The checksum of the views.
  var shape: UInt32
}

/// A class, as `FieldPlan`.
final class OperationPlan: Sendable {
  /// The Swift type.
  let name: String
  /// The protocol that it adopts.
  let kind: String
  let documentation: Documentation
  let text: TextPlan
  let variables: [ArgumentPlan]
  let clientDirectives: [ClientDirectiveUse]
  /// The comment of the initialiser.
  let initializer: Documentation
  let data: StructPlan

  init(
    name: String, kind: String, documentation: Documentation, text: TextPlan,
    variables: [ArgumentPlan], clientDirectives: [ClientDirectiveUse],
    initializer: Documentation, data: StructPlan
  ) {
    self.name = name
    self.kind = kind
    self.documentation = documentation
    self.text = text
    self.variables = variables
    self.clientDirectives = clientDirectives
    self.initializer = initializer
    self.data = data
  }
}

/// A class, as `FieldPlan`.
final class FragmentPlan: Sendable {
  let documentation: Documentation
  let text: TextPlan
  let fields: StructPlan

  init(documentation: Documentation, text: TextPlan, fields: StructPlan) {
    self.documentation = documentation
    self.text = text
    self.fields = fields
  }
}

/// A struct that reads what is selected of an object.
struct StructPlan: Sendable {
  var name: String
  var documentation: Documentation
  /// Whether it has a property `id` that identifies the object.
  var isIdentifiable: Bool
  var members: [MemberPlan]
  var cases: CasesPlan?
  var nested: [NestedPlan]

  /// How many types are within each other in the code; deeper ones are in extensions. For the name of a symbol,
  /// Swift 6.2 visits the types around it, and from each of them again those around that. Time doubles with each level.
  private static let deepest = 8

  /// Whether the types that are nested in a struct are in an extension of it.
  ///
  /// - Parameter path: The struct's path, without a namespace.
  static func hasExtension(at path: String) -> Bool { depth(of: path).isMultiple(of: deepest) }

  /// Whether a struct is in an extension, where names of the namespace are not in scope.
  static func isInExtension(at path: String) -> Bool { depth(of: path) > deepest }

  private static func depth(of path: String) -> Int {
    path.utf8.count { $0 == UInt8(ascii: ".") } + 1
  }
}

/// A property of a struct. A class, as `FieldPlan`.
final class MemberPlan: Sendable {
  let property: String
  let type: SwiftType
  /// The function of the runtime that reads it.
  let accessor: String
  let slot: Int
  /// The rest of the call, after the slot.
  let arguments: String
  /// The key of a field that throws its error.
  let caughtKey: String?
  let documentation: Documentation
  let deprecation: String?

  init(
    property: String, type: SwiftType, accessor: String, slot: Int, arguments: String,
    caughtKey: String? = nil, documentation: Documentation, deprecation: String?
  ) {
    self.property = property
    self.type = type
    self.accessor = accessor
    self.slot = slot
    self.arguments = arguments
    self.caughtKey = caughtKey
    self.documentation = documentation
    self.deprecation = deprecation
  }
}

/// The object types of a union or interface as an enum.
struct CasesPlan: Sendable {
  var property: String
  var name: String
  var cases: [Case]
  /// The slot of the name of the type.
  var typenameSlot: Int

  struct Case: Sendable {
    var name: String
    var type: String
    var slot: Int
  }
}

indirect enum NestedPlan: Sendable {
  case structure(StructPlan)
  /// Another struct that selects the same, by its path.
  case alias(name: String, path: String)
}
