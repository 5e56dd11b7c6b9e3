extension GraphQL {
  /// One selection as a builder method leaves it (specification: 2.4 Selection Sets).
  ///
  /// A value, since an object for each took half of the time of building; what few selections have is
  /// apart, in ``SelectionDetails``.
  struct Selection {
    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: String
    /// The key in the answer of a field with an alias (specification: 2.7 Field Alias).
    private let aliasedName: String?
    var arguments: [Argument] = []
    var child: AbstractQuery?
    /// nil for a field of which nothing special was said.
    private(set) var details: SelectionDetails?

    init(field name: String, alias: String?, modifiers: Modifiers? = nil) {
      self.name = name
      aliasedName = alias.map { "\(name)__\($0)" }
      details = modifiers.map { SelectionDetails(.field, modifiers: $0) }
    }

    /// A selection of ``name`` of which nothing special was said, the way most are.
    @inline(__always)
    init(plainField name: String) {
      self.name = name
      aliasedName = nil
    }

    init(inlineFragment type: String, modifiers: Modifiers?) {
      name = type
      aliasedName = nil
      details = SelectionDetails(.inlineFragment, modifiers: modifiers)
    }

    init(spread fragment: FragmentDefinition, modifiers: Modifiers?) {
      name = ""
      aliasedName = nil
      details = SelectionDetails(.spread(fragment), modifiers: modifiers)
    }

    var kind: SelectionDetails.Kind { details?.kind ?? .field }

    var isField: Bool { details?.isField ?? true }

    /// The key of the field in the answer.
    var responseName: String { aliasedName ?? name }

    @inline(__always)
    var hasAlias: Bool { aliasedName != nil }

    /// What was given as `alias:`.
    var alias: String? {
      aliasedName.map {
        String(decoding: $0.utf8.dropFirst(name.utf8.count + 2), as: UTF8.self)
      }
    }

    var modifiers: Modifiers? { details?.modifiers }
    var nulls: [String] { modifiers?.nulls ?? [] }
    var directives: [AppliedDirective] { modifiers?.directives ?? [] }

    /// Argument text of the raw form.
    var rawArguments: String? {
      get { details?.rawArguments }
      set {
        guard newValue != nil || details != nil else { return }
        details = SelectionDetails(kind, modifiers: modifiers, rawArguments: newValue)
      }
    }
  }

  /// What few selections have.
  final class SelectionDetails {
    enum Kind {
      case field, inlineFragment
      case spread(FragmentDefinition)
    }

    let kind: Kind
    /// What was said of the selection before it was made; nil for nothing.
    let modifiers: Modifiers?
    let rawArguments: String?

    init(_ kind: Kind, modifiers: Modifiers?, rawArguments: String? = nil) {
      self.kind = kind
      self.modifiers = modifiers
      self.rawArguments = rawArguments
    }

    var isField: Bool {
      if case .field = kind { true } else { false }
    }
  }

  struct Argument: Sendable {
    let name: String
    /// nil is an explicit null.
    let value: (any InputValue)?
  }

  /// What was said of a selection before it was made.
  struct Modifiers {
    var nulls: [String] = []
    var directives: [AppliedDirective] = []
  }
}
