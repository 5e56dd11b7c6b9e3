extension GraphQL {
  /// One selection as a builder method leaves it (specification: 2.4 Selection Sets).
  struct Selection {
    enum Kind {
      case field(name: String, alias: String?)
      case inlineFragment(type: String)
      case spread(FragmentDefinition)
    }

    let kind: Kind
    var arguments: [Argument] = []
    /// Argument text of the raw form.
    var rawArguments: String?
    let modifiers: Modifiers
    var child: AbstractQuery?

    init(_ kind: Kind, modifiers: Modifiers) {
      self.kind = kind
      self.modifiers = modifiers
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

    var isEmpty: Bool { nulls.isEmpty && directives.isEmpty }
  }
}
