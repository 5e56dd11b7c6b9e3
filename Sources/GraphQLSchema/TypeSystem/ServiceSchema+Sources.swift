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
