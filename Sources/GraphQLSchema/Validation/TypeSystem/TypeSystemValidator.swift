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
