/// Section 5.1, Documents.
extension ExecutableValidator {
  /// All definitions are operations and fragments (section 5.1.1).
  mutating func executableDefinitions() {
    let suggestion =
      isSentTogether ? nil : "Documents have operations and fragments only; move it to the schema."
    for definition in document.definitions {
      let (what, range): (String, SourceRange)
      switch definition {
      case .operation, .fragment: continue
      case .schema(let schema): (what, range) = ("A schema definition", schema.range)
      case .schemaExtension(let schema): (what, range) = ("A schema extension", schema.range)
      case .type(let type):
        (what, range) = ("The type definition \(quoted(type.name))", type.nameRange)
      case .typeExtension(let type):
        (what, range) = ("The type extension \(quoted(type.name))", type.nameRange)
      case .directiveExtension(let directive):
        (what, range) = (
          "The directive extension \(quoted("@" + directive.name))", directive.nameRange
        )
      case .directive(let directive):
        (what, range) = (
          "The directive definition \(quoted("@" + directive.name))", directive.nameRange
        )
      }
      diagnostics.add(
        "ExecutableDefinitions", "\(what) cannot be executed.", at: range, suggestion: suggestion)
    }
  }
}
