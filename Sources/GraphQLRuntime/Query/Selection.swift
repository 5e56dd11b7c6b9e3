extension GraphQL {
  /// One selection, as it is merged and frozen (specification: 2.4 Selection Sets).
  struct Selection {
    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: String
    let child: SelectionList?
    let arguments: [Argument]
    /// nil for a field of which nothing more was said.
    private let details: SelectionDetails?

    // Safe: the name is copied, and is there as long as the node’s tree, which the caller holds.
    init(
      _ node: SelectionNode, child: SelectionList?, arguments: [Argument],
      details: SelectionDetails?
    ) {
      name = unsafe String(decoding: node.bytes, as: UTF8.self)
      self.child = child
      self.arguments = arguments
      self.details = details
    }

    /// A field of which nothing more is said.
    init(plainField name: String) {
      self.name = name
      child = nil
      arguments = []
      details = nil
    }

    var kind: SelectionDetails.Kind { details?.kind ?? .field }

    var isField: Bool { details?.isField ?? true }

    /// The key of the field in the answer.
    var responseName: String { details?.alias.map { "\(name)__\($0)" } ?? name }

    /// What was given as `alias:`.
    var alias: String? { details?.alias }

    var modifiers: Modifiers? { details?.modifiers }
    var nulls: [String] { modifiers?.nulls ?? [] }
    var directives: [AppliedDirective] { modifiers?.directives ?? [] }

    /// Argument text of the raw form.
    var rawArguments: String? { details?.rawArguments }
  }

  /// What there is to a selection besides its name and its typed arguments.
  struct SelectionDetails {
    enum Kind {
      case field, inlineFragment
      case spread(FragmentDefinition)
    }

    var kind = Kind.field
    /// What was given as `alias:` (specification: 2.7 Field Alias).
    var alias: String?
    /// What was said of the selection before it was made; nil for nothing.
    var modifiers: Modifiers?
    var rawArguments: String?

    var isField: Bool {
      if case .field = kind { true } else { false }
    }

    /// Whether there is nothing but an alias.
    var isPlain: Bool { isField && modifiers == nil && rawArguments == nil }
  }

  struct Argument: Sendable {
    let name: String
    let value: any InputValue
  }

  /// A null that is sent, as a value: optionals of existentials are copied to be read, which took as
  /// long as writing what is in them.
  struct ExplicitNull: InputValue {
    func _write(to writer: inout ValueWriter) { writer.null() }
  }

  /// What was said of a selection before it was made.
  struct Modifiers {
    var nulls: [String] = []
    var directives: [AppliedDirective] = []
  }
}
