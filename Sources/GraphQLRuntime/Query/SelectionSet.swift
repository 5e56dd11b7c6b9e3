extension GraphQL {
  /// A selection set as it is sent: merged, in order, and immutable.
  final class SelectionSet: Sendable {
    /// The type that the fields belong to; nil in raw queries.
    let type: TypeInfo?
    let entries: [Entry]
    /// The levels of selection sets from here down, fragments included.
    let depth: Int

    init(type: TypeInfo?, entries: [Entry]) {
      self.type = type
      self.entries = entries
      depth = 1 + (entries.lazy.map(\.depth).max() ?? 0)
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
  /// Whether there is an `@include` or `@skip`.
  var isConditional: Bool { contains { $0.includes != nil } }

  /// Whether `@include` and `@skip`, where present, let the selection into the answer.
  var include: Bool { allSatisfy { $0.includes ?? true } }
}
