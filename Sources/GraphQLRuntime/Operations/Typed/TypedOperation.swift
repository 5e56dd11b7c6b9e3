extension GraphQL {
  /// The data of a typed operation's response. Only generated structs adopt it.
  public typealias SelectedRoot = SelectedDocument & ResponseRoot

  /// An operation of a document. Only generated structs adopt it, as a ``TypedQuery``, ``TypedMutation`` or
  /// ``TypedSubscription``: they have one stored property, their ``Variables``.
  public protocol TypedOperation: OperationRepresentable, Sendable where Response == Data {
    /// The type as which the response's data is read.
    associatedtype Data: SelectedRoot
  }

  /// A query of a document.
  public typealias TypedQuery = TypedOperation & QueryRepresentable
  /// A mutation of a document.
  public typealias TypedMutation = TypedOperation & MutationRepresentable
  /// A subscription of a document.
  public typealias TypedSubscription = TypedOperation & SubscriptionRepresentable
}

extension GraphQL.SelectedObject where Self: GraphQL.ResponseRoot {
  public init(_handle handle: GraphQL.ResponseHandle) {
    self.init(fields: GraphQL.Fields(handle.document, handle.index))
  }

  public var _handle: GraphQL.ResponseHandle {
    GraphQL.ResponseHandle(document: fields.document, index: fields.record)
  }
}

extension GraphQL.TypedOperation {
  // Each requirement of a protocol would be a witness, and exported names, in the code of every operation.
  // Safe: a generated struct has one stored property of this type, so both have the same layout. The size finds a struct
  // with more than that.
  private var variables: GraphQL.Variables {
    precondition(
      MemoryLayout<Self>.size == MemoryLayout<GraphQL.Variables>.size,
      "\(Self.self) has other stored properties; generate the code again")
    return unsafe unsafeBitCast(self, to: GraphQL.Variables.self)
  }

  /// The operation with an explicit null for variables, by their names in the document.
  ///
  /// `operation()` throws an error if a variable has a value, if its type does not allow null, or if there is no
  /// such variable.
  // Safe: both have the same layout, as for `variables`.
  public func null(_ names: String...) -> Self {
    var variables = variables
    for name in names { variables.addNull(name) }
    return unsafe unsafeBitCast(variables, to: Self.self)
  }

  /// The operation, ready to be sent.
  ///
  /// - Throws: ``GraphQL/InvalidQuery`` for variables that cannot be sent.
  public func operation() throws(GraphQL.InvalidQuery) -> GraphQL.Operation<Data> {
    let variables = variables.values
    guard variables.problems.isEmpty else {
      throw GraphQL.InvalidQuery(problems: variables.problems)
    }
    let document = variables.document
    let content = GraphQL.FrozenSelection(
      GraphQL.TypedSelection(
        document: document, variant: document.variant(variables.conditions),
        variables: variables.object),
      kind: Self.operationKind)
    return GraphQL.Operation(
      kind: Self.operationKind, name: document.name, document: document.text,
      variables: variables.object,
      uploads: variables.uploads, content: content)
  }
}
