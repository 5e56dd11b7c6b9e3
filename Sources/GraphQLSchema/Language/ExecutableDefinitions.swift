/// The three kinds of operation (section 2.4).
public enum OperationType: String, Sendable, CaseIterable {
  case query, mutation, subscription
}

/// An operation of an executable document (section 2.4).
public struct OperationDefinition: Sendable, Equatable {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// Whether it is a query, a mutation or a subscription.
  public var operationType: OperationType
  /// The operation's name; nil for an anonymous one.
  public var name: String?
  /// The variables it declares, in the order in which they are written.
  public var variables: [VariableDefinition]
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The selection set.
  public var selectionSet: Document.SelectionSet
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates an operation definition.
  public init(
    description: String? = nil, operationType: OperationType, name: String? = nil,
    variables: [VariableDefinition] = [], directives: [Document.Directive] = [],
    selectionSet: Document.SelectionSet, nameRange: SourceRange = .none, range: SourceRange = .none
  ) {
    self.description = description
    self.operationType = operationType
    self.name = name
    self.variables = variables
    self.directives = directives
    self.selectionSet = selectionSet
    self.nameRange = nameRange
    self.range = range
  }
}

/// A variable that an operation declares (section 2.11): `$first: Int = 10`.
public struct VariableDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name without the dollar sign.
  public var name: String
  /// The type.
  public var type: TypeReference
  /// The default value; nil if there is none.
  public var defaultValue: Document.Value?
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The variable with its dollar sign.
  public var nameRange: SourceRange
  /// The position of the type.
  public var typeRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a variable definition.
  public init(
    description: String? = nil, name: String, type: TypeReference,
    defaultValue: Document.Value? = nil,
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    typeRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.nameRange = nameRange
    self.typeRange = typeRange
    self.range = range
  }
}

/// A named fragment (section 2.9).
public struct FragmentDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The type it applies to.
  public var typeCondition: TypeName
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The selection set.
  public var selectionSet: Document.SelectionSet
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a fragment definition.
  public init(
    description: String? = nil, name: String, typeCondition: TypeName,
    directives: [Document.Directive] = [], selectionSet: Document.SelectionSet,
    nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.nameRange = nameRange
    self.range = range
  }
}

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
