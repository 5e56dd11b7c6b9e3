extension GraphQL {
  /// A selection set as it is sent: merged, in order, and immutable.
  package final class SelectionSet: Sendable {
    /// The type of the fields; nil in raw queries.
    package let type: TypeInfo?
    let entries: [Entry]
    /// The depth of nested selection sets, including fragments.
    let depth: Int

    init(type: TypeInfo?, entries: [Entry]) {
      self.type = type
      self.entries = entries
      var below = 0
      for entry in entries { below = max(below, entry.depth) }
      depth = 1 + below
    }

    enum Entry: Sendable {
      case field(Field)
      case inlineFragment(type: String, directives: [AppliedDirective], SelectionSet)
      case spread(FragmentDefinition, directives: [AppliedDirective])

      fileprivate var depth: Int {
        switch self {
        case .field(let field): field.selectionSet?.depth ?? 0
        case .inlineFragment(_, _, let set): set.depth
        case .spread(let fragment, _): fragment.selectionSet.depth
        }
      }
    }

    final class Field: Sendable {
      let responseName: String
      let name: String
      let arguments: [Argument]
      let rawArguments: String?
      let directives: [AppliedDirective]
      /// The field's line of the table; nil in raw queries.
      let info: FieldInfo?
      let selectionSet: SelectionSet?

      init(
        responseName: String, name: String, arguments: [Argument], rawArguments: String? = nil,
        directives: [AppliedDirective], info: FieldInfo?, selectionSet: SelectionSet?
      ) {
        self.responseName = responseName
        self.name = name
        self.arguments = arguments
        self.rawArguments = rawArguments
        self.directives = directives
        self.info = info
        self.selectionSet = selectionSet
      }

      convenience init(
        _ selection: Selection, arguments: [Argument], info: FieldInfo?,
        selectionSet: SelectionSet?
      ) {
        self.init(
          responseName: selection.responseName, name: selection.name, arguments: arguments,
          rawArguments: selection.rawArguments, directives: selection.directives, info: info,
          selectionSet: selectionSet)
      }
    }
  }
}

extension [GraphQL.AppliedDirective] {
  /// Whether there is an `@include` or `@skip`.
  var isConditional: Bool { contains { $0.includes != nil } }

  /// Whether `@include` and `@skip`, if present, include the selection in the response.
  var include: Bool { isEmpty || allSatisfy { $0.includes ?? true } }

  /// Whether `@defer` lets the server respond without the selection and send it later.
  var mayComeLater: Bool { contains { $0.name == "defer" } }
}
