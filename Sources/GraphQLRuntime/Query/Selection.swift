extension GraphQL {
  /// One selection as a builder method leaves it (specification: 2.4 Selection Sets).
  ///
  /// A small value, since most selections are a name: an object for each, or all of its properties in
  /// place, took longer to make and to free than the rest of building.
  struct Selection {
    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: String
    var child: AbstractQuery?
    /// nil for a field of which nothing more was said.
    private(set) var details: SelectionDetails?

    init(field name: String, alias: String?, modifiers: Modifiers?) {
      self.name = name
      if alias == nil, modifiers == nil { return }
      details = SelectionDetails(
        .field, aliasedName: alias.map { "\(name)__\($0)" }, modifiers: modifiers)
    }

    /// A field of which nothing more is said yet.
    @inline(__always)
    init(plainField name: String) {
      self.name = name
    }

    init(inlineFragment type: String, modifiers: Modifiers?) {
      name = type
      details = SelectionDetails(.inlineFragment, modifiers: modifiers)
    }

    init(spread fragment: FragmentDefinition, modifiers: Modifiers?) {
      name = ""
      details = SelectionDetails(.spread(fragment), modifiers: modifiers)
    }

    var kind: SelectionDetails.Kind { details?.kind ?? .field }

    var isField: Bool { details?.isField ?? true }

    /// The key of the field in the answer.
    var responseName: String { details?.aliasedName ?? name }

    /// What was given as `alias:`.
    var alias: String? {
      details?.aliasedName.map {
        String(decoding: $0.utf8.dropFirst(name.utf8.count + 2), as: UTF8.self)
      }
    }

    var arguments: [Argument] { details?.arguments ?? [] }
    var modifiers: Modifiers? { details?.modifiers }
    var nulls: [String] { modifiers?.nulls ?? [] }
    var directives: [AppliedDirective] { modifiers?.directives ?? [] }

    /// Argument text of the raw form.
    var rawArguments: String? { details?.rawArguments }

    mutating func append(_ argument: Argument) {
      changeDetails { $0.arguments.append(argument) }
    }

    mutating func set(rawArguments text: String) {
      changeDetails { $0.rawArguments = text }
    }

    /// Changes details that no copy of the selection shares.
    private mutating func changeDetails(_ change: (SelectionDetails) -> Void) {
      if details == nil || !isKnownUniquelyReferenced(&details) {
        details = SelectionDetails(copying: details)
      }
      if let details { change(details) }
    }
  }

  /// What there is to a selection besides its name. It belongs to one ``Selection`` and its copies.
  final class SelectionDetails {
    enum Kind {
      case field, inlineFragment
      case spread(FragmentDefinition)
    }

    let kind: Kind
    /// The key in the answer of a field with an alias (specification: 2.7 Field Alias).
    let aliasedName: String?
    /// What was said of the selection before it was made; nil for nothing.
    let modifiers: Modifiers?
    fileprivate(set) var arguments: [Argument] = []
    fileprivate(set) var rawArguments: String?

    fileprivate init(_ kind: Kind, aliasedName: String? = nil, modifiers: Modifiers?) {
      self.kind = kind
      self.aliasedName = aliasedName
      self.modifiers = modifiers
    }

    fileprivate init(copying other: SelectionDetails?) {
      kind = other?.kind ?? .field
      aliasedName = other?.aliasedName
      modifiers = other?.modifiers
      arguments = other?.arguments ?? []
      rawArguments = other?.rawArguments
    }

    var isField: Bool {
      if case .field = kind { true } else { false }
    }

    /// Whether there is nothing but an alias and typed arguments.
    var isPlain: Bool { isField && modifiers == nil && rawArguments == nil }
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
