extension ServiceSchema {
  /// The schema as a type-system document in canonical form, without built-in definitions.
  ///
  /// The schema definition is left out if the default root type names give the same result (section
  /// 3.3.1).
  public var sdl: String {
    var definitions: [Document.Definition] = []
    if !hasDefaultDefinition { definitions.append(.schema(definition)) }
    definitions += directives.elements.map(Document.Definition.directive)
    definitions += types.elements.map(Document.Definition.type)
    var printer = DocumentPrinter()
    // An explicit default reason is equivalent to none.
    printer.omitsDefaultReason = true
    printer.write(definitions)
    return printer.text
  }

  /// Whether the schema definition adds nothing to the default root type names.
  private var hasDefaultDefinition: Bool {
    guard definition.description == nil, definition.directives.isEmpty else { return false }
    return OperationType.allCases.allSatisfy { operationType in
      let name = operationType.defaultRootTypeName
      let root = definition.operationTypes.first { $0.operationType == operationType }
      return root.map { $0.type.name == name } ?? !types.contains(name: name)
    }
  }
}
