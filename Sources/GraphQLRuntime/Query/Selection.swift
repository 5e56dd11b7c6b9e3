extension GraphQL {
  /// One selection as a builder method leaves it (specification: 2.4 Selection Sets). It belongs to
  /// one builder; an object, since large queries move it often.
  final class Selection {
    enum Kind {
      case field(name: String, alias: String?)
      case inlineFragment(type: String)
      case spread(FragmentDefinition)
    }

    let kind: Kind
    /// The key of the field in the answer (specification: 2.7 Field Alias); empty for fragments.
    let responseName: String
    /// What was said of the selection before it was made; nil for nothing.
    let modifiers: Modifiers?
    var arguments: [Argument] = []
    /// Argument text of the raw form.
    var rawArguments: String?
    var child: AbstractQuery?

    init(field name: String, alias: String?, modifiers: Modifiers?) {
      kind = .field(name: name, alias: alias)
      responseName = alias.map { "\(name)__\($0)" } ?? name
      self.modifiers = modifiers
    }

    /// - Parameter fragment: an inline fragment or a spread.
    init(_ fragment: Kind, modifiers: Modifiers?) {
      kind = fragment
      responseName = ""
      self.modifiers = modifiers
    }

    var isField: Bool {
      if case .field = kind { true } else { false }
    }

    var nulls: [String] { modifiers?.nulls ?? [] }
    var directives: [AppliedDirective] { modifiers?.directives ?? [] }
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
