/// A schema's description, directives and root operation types (section 3.3).
public struct SchemaDefinition: Sendable, Equatable {
  public var description: String?
  public var directives: [Directive]
  public var operationTypes: [RootOperationTypeDefinition]
  public var span: Span

  public init(
    description: String? = nil, directives: [Directive] = [],
    operationTypes: [RootOperationTypeDefinition] = [], span: Span = .none
  ) {
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.span = span
  }
}

/// The type at the root of one kind of operation: `query: QueryRoot` (section 3.3.1).
public struct RootOperationTypeDefinition: Sendable, Equatable {
  public var operationType: OperationType
  public var type: TypeName
  public var span: Span

  public init(operationType: OperationType, type: TypeName, span: Span = .none) {
    self.operationType = operationType
    self.type = type
    self.span = span
  }
}
