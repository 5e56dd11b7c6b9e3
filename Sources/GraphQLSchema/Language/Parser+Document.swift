extension Parser {
  /// All definitions up to the end of the source; errors are reported and skipped.
  mutating func parseDefinitions(_ diagnostics: inout DiagnosticCollector) -> [Document.Definition]
  {
    var definitions: [Document.Definition] = []
    var start = -1
    do throws(SyntaxError) {
      try advance()
      if token.kind == .endOfSource { throw unexpected(expected: "a definition") }
    } catch {
      diagnostics.add(error, source: source)
      recover(from: start)
    }
    while token.kind != .endOfSource {
      start = token.start
      do throws(SyntaxError) {
        definitions.append(try parseDefinition())
      } catch {
        diagnostics.add(error, source: source)
        recover(from: start)
      }
    }
    return definitions
  }

  /// One definition or extension (section 2.3 Definition).
  private mutating func parseDefinition() throws(SyntaxError) -> Document.Definition {
    let start = token.start
    if token.kind == .braceLeft { return .operation(try parseShorthandQuery()) }
    let description = try parseDescription()
    guard token.kind == .name else {
      throw unexpected(expected: description == nil ? "a definition" : "a definition to describe")
    }
    let keyword = peekName()
    switch keyword {
    case "query": return .operation(try parseOperation(.query, description, start))
    case "mutation": return .operation(try parseOperation(.mutation, description, start))
    case "subscription": return .operation(try parseOperation(.subscription, description, start))
    case "fragment": return .fragment(try parseFragment(description, start))
    case "schema": return .schema(try parseSchemaDefinition(description, start))
    case "directive": return .directive(try parseDirectiveDefinition(description, start))
    case "extend":
      if description != nil { throw describedExtension(start) }
      return try parseExtension(start)
    default:
      if let type = try parseTypeDefinition(keyword, description, start) { return .type(type) }
      throw unexpected(
        expected: "a definition",
        suggestion: didYouMean(keyword, among: Self.definitionKeywords))
    }
  }

  static var definitionKeywords: [String] {
    [
      "query", "mutation", "subscription", "fragment", "schema", "directive", "extend", "scalar",
      "type", "interface", "union", "enum", "input",
    ]
  }

  private func describedExtension(_ start: Int) -> SyntaxError {
    SyntaxError(
      message: "An extension cannot have a description.", start: token.start, end: token.end,
      suggestion: "Describe the definition that it extends, or use a comment.")
  }
}
