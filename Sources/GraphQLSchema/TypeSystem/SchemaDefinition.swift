/// A schema's description, directives and root operation types (section 3.3).
public struct SchemaDefinition: Sendable, Equatable {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The root operation types.
  public var operationTypes: [RootOperationTypeDefinition]
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a schema definition.
  public init(
    description: String? = nil, directives: [Document.Directive] = [],
    operationTypes: [RootOperationTypeDefinition] = [], range: SourceRange = .none
  ) {
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.range = range
  }
}

/// The type at the root of one kind of operation: `query: QueryRoot` (section 3.3.1).
public struct RootOperationTypeDefinition: Sendable, Equatable {
  /// Whether it is a query, a mutation or a subscription.
  public var operationType: OperationType
  /// The type.
  public var type: TypeName
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a root operation type definition.
  public init(operationType: OperationType, type: TypeName, range: SourceRange = .none) {
    self.operationType = operationType
    self.type = type
    self.range = range
  }
}
