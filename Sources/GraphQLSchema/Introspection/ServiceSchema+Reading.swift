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
