/// Section 5.1, Documents.
extension ExecutableValidator {
  /// All definitions are operations and fragments (section 5.1.1).
  mutating func executableDefinitions() {
    for definition in document.definitions {
      let (what, span): (String, SourceRange)
      switch definition {
      case .operation, .fragment: continue
      case .schema(let schema): (what, span) = ("A schema definition", schema.span)
      case .schemaExtension(let schema): (what, span) = ("A schema extension", schema.span)
      case .type(let type):
        (what, span) = ("The type definition \(quoted(type.name))", type.nameSpan)
      case .typeExtension(let type):
        (what, span) = ("The type extension \(quoted(type.name))", type.nameSpan)
      case .directive(let directive):
        (what, span) = (
          "The directive definition \(quoted("@" + directive.name))", directive.nameSpan
        )
      }
      diagnostics.add("ExecutableDefinitions", "\(what) cannot be executed.", at: span)
    }
  }
}
