extension GraphQL {
  /// The data of a typed operation's response. Only generated structs adopt it.
  public protocol SelectedRoot: SelectedObject, ResponseRoot {}

  /// An operation of a document. Generated structs adopt it through ``TypedQuery``, ``TypedMutation`` or
  /// ``TypedSubscription``.
  public protocol TypedOperation: OperationRepresentable, Sendable where Response == Data {
    /// The type as which the response's data is read.
    associatedtype Data: SelectedRoot

    /// The text of the operation.
    static var _document: DocumentText { get }

    /// The directives that are not sent.
    static var _clientDirectives: [ClientDirective] { get }

    /// The variables.
    var _variables: Variables { get }
  }

  /// A query of a document.
  public protocol TypedQuery: TypedOperation, QueryRepresentable {}
  /// A mutation of a document.
  public protocol TypedMutation: TypedOperation, MutationRepresentable {}
  /// A subscription of a document.
  public protocol TypedSubscription: TypedOperation, SubscriptionRepresentable {}
}

extension GraphQL.SelectedRoot {
  public init(_handle handle: GraphQL.ResponseHandle) {
    self.init(fields: GraphQL.Fields(handle.document, handle.index))
  }

  public var _handle: GraphQL.ResponseHandle {
    GraphQL.ResponseHandle(document: fields.document, index: fields.record)
  }
}

extension GraphQL.TypedOperation {
  public static var _clientDirectives: [GraphQL.ClientDirective] { [] }

  /// The operation, ready to be sent.
  ///
  /// - Throws: ``GraphQL/InvalidQuery`` for variables that cannot be sent.
  public func operation() throws(GraphQL.InvalidQuery) -> GraphQL.Operation<Data> {
    let variables = _variables
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
      uploads: variables.uploads, content: content, clientDirectives: Self._clientDirectives)
  }
}
