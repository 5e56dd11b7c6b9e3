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
