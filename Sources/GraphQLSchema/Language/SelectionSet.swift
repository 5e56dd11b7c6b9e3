extension Document {
  /// The selection set of an object (section 2.5).
  public struct SelectionSet: Sendable, Equatable {
    /// The selections, in the order in which they are written.
    public var selections: [Selection]
    /// The braces and all text between them.
    public var range: SourceRange

    /// Creates a selection set.
    public init(_ selections: [Selection], range: SourceRange = .none) {
      self.selections = selections
      self.range = range
    }
  }

  /// One element of a selection set (section 2.5).
  ///
  /// Indirect, since every rule visits the selections: a copy counts one reference instead of seven.
  public indirect enum Selection: Sendable, Equatable {
    case field(Field)
    case fragmentSpread(FragmentSpread)
    case inlineFragment(InlineFragment)

    /// The whole node.
    public var range: SourceRange {
      switch self {
      case .field(let field): field.range
      case .fragmentSpread(let spread): spread.range
      case .inlineFragment(let fragment): fragment.range
      }
    }

    /// The applied directives, in the order in which they are written.
    public var directives: [Directive] {
      switch self {
      case .field(let field): field.directives
      case .fragmentSpread(let spread): spread.directives
      case .inlineFragment(let fragment): fragment.directives
      }
    }
  }

  /// A selected field (section 2.6).
  public struct Field: Sendable, Equatable, NamedElement {
    /// The alias (section 2.8); nil if there is none.
    public var alias: String?
    /// The name.
    public var name: String
    /// The arguments, in the order in which they are written.
    public var arguments: [Argument]
    /// The applied directives, in the order in which they are written.
    public var directives: [Directive]
    /// The selection set.
    public var selectionSet: SelectionSet?
    /// Directives that were removed from the document since they are for a generator. They are never printed.
    package var clientDirectives: [Directive] = []
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates a field.
    public init(
      alias: String? = nil, name: String, arguments: [Argument] = [], directives: [Directive] = [],
      selectionSet: SelectionSet? = nil, nameRange: SourceRange = .none, range: SourceRange = .none
    ) {
      self.alias = alias
      self.name = name
      self.arguments = arguments
      self.directives = directives
      self.selectionSet = selectionSet
      self.nameRange = nameRange
      self.range = range
    }

    /// The key under which the field's value arrives (section 2.8): its alias or else its name.
    public var responseName: String { alias ?? name }
  }

  /// The use of a named fragment: `...ProductFields` (section 2.9).
  public struct FragmentSpread: Sendable, Equatable, NamedElement {
    /// The fragment's name.
    public var name: String
    /// The applied directives, in the order in which they are written.
    public var directives: [Directive]
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates a fragment spread.
    public init(
      name: String, directives: [Directive] = [], nameRange: SourceRange = .none,
      range: SourceRange = .none
    ) {
      self.name = name
      self.directives = directives
      self.nameRange = nameRange
      self.range = range
    }
  }

  /// An inline fragment: `... on Product { title }` (section 2.9.2).
  public struct InlineFragment: Sendable, Equatable {
    /// The type it applies to; nil if it applies to the enclosing type.
    public var typeCondition: TypeName?
    /// The applied directives, in the order in which they are written.
    public var directives: [Directive]
    /// The selection set.
    public var selectionSet: SelectionSet
    /// The whole node.
    public var range: SourceRange

    /// Creates an inline fragment.
    public init(
      typeCondition: TypeName? = nil, directives: [Directive] = [], selectionSet: SelectionSet,
      range: SourceRange = .none
    ) {
      self.typeCondition = typeCondition
      self.directives = directives
      self.selectionSet = selectionSet
      self.range = range
    }
  }
}
