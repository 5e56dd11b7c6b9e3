extension GraphQL {
  /// One selection after merging and freezing (specification: 2.4 Selection Sets).
  struct Selection {
    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: String
    let child: SelectionList?
    let arguments: [Argument]
    /// nil for a field without details.
    private let details: SelectionDetails?

    init(
      _ node: SelectionNode, child: SelectionList?, arguments: [Argument],
      details: SelectionDetails?
    ) {
      name = details?.rawName ?? node.name.description
      self.child = child
      self.arguments = arguments
      self.details = details
    }

    /// A field without details.
    init(plainField name: String) {
      self.name = name
      child = nil
      arguments = []
      details = nil
    }

    var kind: SelectionDetails.Kind { details?.kind ?? .field }

    var isField: Bool { details?.isField ?? true }

    /// The key of the field in the response.
    var responseName: String { details?.alias.map { "\(name)__\($0)" } ?? name }

    /// The `alias:`, if any.
    var alias: String? { details?.alias }

    var modifiers: Modifiers? { details?.modifiers }
    var nulls: [String] { modifiers?.nulls ?? [] }
    var directives: [AppliedDirective] { modifiers?.directives ?? [] }

    /// Argument text of the raw form.
    var rawArguments: String? { details?.rawArguments }
  }

  /// The parts of a selection other than its name and its typed arguments.
  struct SelectionDetails {
    enum Kind {
      case field, inlineFragment
      case spread(FragmentDefinition)
    }

    var kind = Kind.field
    /// The `alias:`, if any (specification: 2.7 Field Alias).
    var alias: String?
    /// The modifiers before the selection; nil if there are none.
    var modifiers: Modifiers?
    /// The name of a field in the raw form.
    var rawName: String?
    /// Argument text of the raw form.
    var rawArguments: String?

    var isField: Bool {
      if case .field = kind { true } else { false }
    }

    /// Whether there is only an alias.
    var isPlain: Bool { isField && modifiers == nil && rawName == nil && rawArguments == nil }
  }

  package struct Argument: Sendable {
    package let name: String
    package let value: any InputValue
  }

  /// A null that is sent, as a value. Optionals of existentials are copied to be read, which took
  /// as long as writing their contents.
  struct ExplicitNull: InputValue {
    func _write(to writer: inout ValueWriter) { writer.null() }
  }

  /// The modifiers before a selection.
  struct Modifiers {
    var nulls: [String] = []
    var directives: [AppliedDirective] = []
  }
}
