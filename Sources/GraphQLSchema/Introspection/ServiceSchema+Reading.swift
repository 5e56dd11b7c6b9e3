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
