extension GraphQL {
  /// The data of a typed operation's response. Only generated structs adopt it.
  public typealias SelectedRoot = SelectedDocument & ResponseRoot

  /// The part of ``TypedOperation`` that generated structs share: they have one stored property, their
  /// ``Variables``.
  // A marker, for the size of generated code; see `SelectedObject`.
  @_marker public protocol DocumentOperation: Sendable {}

  /// An operation of a document. Only generated structs adopt it, as a ``TypedQuery``, ``TypedMutation`` or
  /// ``TypedSubscription``. Their `Response` is the operation's struct `Data`, a ``SelectedRoot``.
  ///
  /// Extensions are of ``DocumentOperation`` `where Self: GraphQL.OperationRepresentable`. A cast `as?` needs a concrete
  /// type, or `any GraphQL.QueryRepresentable` and the like.
  public typealias TypedOperation = DocumentOperation & OperationRepresentable
  /// A query of a document.
  public typealias TypedQuery = DocumentOperation & QueryRepresentable
  /// A mutation of a document.
  public typealias TypedMutation = DocumentOperation & MutationRepresentable
  /// A subscription of a document.
  public typealias TypedSubscription = DocumentOperation & SubscriptionRepresentable
}

extension GraphQL.DocumentOperation where Self: GraphQL.OperationRepresentable {
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
  public func operation() throws(GraphQL.InvalidQuery) -> GraphQL.Operation<Response>
  where Response: GraphQL.SelectedDocument {
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
