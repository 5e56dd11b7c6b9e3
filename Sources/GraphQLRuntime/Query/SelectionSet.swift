extension GraphQL {
  /// A selection set as it is sent: merged, in order, and immutable.
  final class SelectionSet: Sendable {
    /// The type that the fields belong to; nil in raw queries.
    let type: TypeInfo?
    let entries: [Entry]

    init(type: TypeInfo?, entries: [Entry]) {
      self.type = type
      self.entries = entries
    }

    enum Entry: Sendable {
      case field(Field)
      case inlineFragment(type: String, directives: [AppliedDirective], SelectionSet)
      case spread(FragmentDefinition, directives: [AppliedDirective])
    }

    struct Field: Sendable {
      let responseName: String
      let name: String
      let arguments: [Argument]
      let rawArguments: String?
      let directives: [AppliedDirective]
      /// The field's line of the table; nil in raw queries.
      let info: FieldInfo?
      let selectionSet: SelectionSet?
    }
  }
}

extension [GraphQL.AppliedDirective] {
  /// Whether `@include` and `@skip`, where present, let the selection into the answer.
  var include: Bool { allSatisfy { $0.includes ?? true } }

  /// Whether `@defer` lets the server answer without the selection and send it later.
  var mayComeLater: Bool { contains { $0.name == "defer" } }
}
