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
