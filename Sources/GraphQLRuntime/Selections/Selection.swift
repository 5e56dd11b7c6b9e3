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
      _ name: String, _ details: SelectionDetails?, child: SelectionList?, arguments: [Argument]
    ) {
      self.name = name
      self.child = child
      self.arguments = arguments
      self.details = details
    }

    /// The name of the selection with a code of ``SelectionCodes``.
    static func name(_ code: UInt8, _ details: SelectionDetails?, of type: TypeInfo?) -> String {
      if let name = details?.name { return name }
      if code == SelectionCodes.typename { return "__typename" }
      let position = details?.position ?? Int(code)
      guard let type, position < type.fields.count else { return "" }
      return type.fields[position].name
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
    /// The position of a field in the table; not used if there is a name.
    var position = 0
    /// The name of a field in the raw form, or the type condition of a fragment.
    var name: String?
    /// The `alias:`, if any (specification: 2.7 Field Alias).
    var alias: String?
    /// The modifiers before the selection; nil if there are none.
    var modifiers: Modifiers?
    /// Argument text of the raw form.
    var rawArguments: String?

    var isField: Bool {
      if case .field = kind { true } else { false }
    }

    /// Whether there is at most an alias.
    var isPlain: Bool { isField && modifiers == nil && name == nil && rawArguments == nil }
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
