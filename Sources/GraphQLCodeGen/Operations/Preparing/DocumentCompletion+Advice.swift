import GraphQLSchema

/// Warnings about valid documents that are probably not what their author meant.
extension DocumentCompletion {
  mutating func advise(
    on field: Document.Field, _ definition: FieldDefinition, of type: NamedType
  ) {
    if let reason = definition.deprecationReason {
      report.warning(
        "DeprecatedField", "\"\(type.name).\(field.name)\" is deprecated: \(reason)",
        at: program.position(of: field.nameRange))
    }
    if isPage(field, definition) {
      report.warning(
        "MissingPageInfo",
        "The page of \(quoted(field.name)) is chosen by a variable, but \"pageInfo\" is not selected.",
        at: program.position(of: field.nameRange),
        suggestion: "Select `pageInfo { hasNextPage endCursor }`.")
    }
  }

  /// Whether a field is a connection of which any page can be requested, and which does not tell where
  /// the next one begins. A spread may select that.
  private func isPage(_ field: Document.Field, _ definition: FieldDefinition) -> Bool {
    let isChosen = field.arguments.contains { argument in
      guard argument.name == "after" || argument.name == "before" else { return false }
      if case .variable = argument.value.kind { return true }
      return false
    }
    guard isChosen, let set = field.selectionSet,
      schema.namedType(of: definition.type)?.fields?.contains(name: "pageInfo") == true
    else { return false }
    return !set.selections.contains { selection in
      if case .field(let field) = selection { field.name == "pageInfo" } else { true }
    }
  }
}
