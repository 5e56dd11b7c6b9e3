/// The three kinds of operation (section 2.3).
public enum OperationType: String, Sendable, CaseIterable {
  case query, mutation, subscription
}

/// An operation of an executable document (section 2.3).
public struct OperationDefinition: Sendable, Equatable {
  public var description: String?
  public var operationType: OperationType
  /// The operation's name; nil for an anonymous one.
  public var name: String?
  public var variables: [VariableDefinition]
  public var directives: [Directive]
  public var selectionSet: SelectionSet
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, operationType: OperationType, name: String? = nil,
    variables: [VariableDefinition] = [], directives: [Directive] = [],
    selectionSet: SelectionSet, nameSpan: Span = .none, span: Span = .none
  ) {
    self.description = description
    self.operationType = operationType
    self.name = name
    self.variables = variables
    self.directives = directives
    self.selectionSet = selectionSet
    self.nameSpan = nameSpan
    self.span = span
  }
}

/// A variable that an operation declares (section 2.10): `$first: Int = 10`.
public struct VariableDefinition: Sendable, Equatable, NamedElement {
  public var description: String?
  /// The name without the dollar sign.
  public var name: String
  public var type: TypeReference
  public var defaultValue: Value?
  public var directives: [Directive]
  /// The variable with its dollar sign.
  public var nameSpan: Span
  public var typeSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, type: TypeReference, defaultValue: Value? = nil,
    directives: [Directive] = [], nameSpan: Span = .none, typeSpan: Span = .none,
    span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.nameSpan = nameSpan
    self.typeSpan = typeSpan
    self.span = span
  }
}

/// A named fragment (section 2.8).
public struct FragmentDefinition: Sendable, Equatable, NamedElement {
  public var description: String?
  public var name: String
  public var typeCondition: TypeName
  public var directives: [Directive]
  public var selectionSet: SelectionSet
  public var nameSpan: Span
  public var span: Span

  public init(
    description: String? = nil, name: String, typeCondition: TypeName,
    directives: [Directive] = [], selectionSet: SelectionSet, nameSpan: Span = .none,
    span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.nameSpan = nameSpan
    self.span = span
  }
}
