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
