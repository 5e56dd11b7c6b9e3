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
  var defaultRootTypeName: String {
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
