extension GraphQL {
  /// A value that can be sent as an operation: a builder, or the generated type of an operation in a document.
  public protocol OperationRepresentable {
    /// The type of the response's data.
    associatedtype Response: ResponseRoot

    /// The kind of the operation.
    static var operationKind: OperationType { get }

    /// The operation, ready to be sent.
    ///
    /// - Throws: ``GraphQL/InvalidQuery`` with every problem.
    func operation() throws(InvalidQuery) -> Operation<Response>
  }

  /// A query.
  public protocol QueryRepresentable: OperationRepresentable {}
  /// A mutation.
  public protocol MutationRepresentable: OperationRepresentable {}
  /// A subscription.
  public protocol SubscriptionRepresentable: OperationRepresentable {}
}

extension GraphQL.QueryRepresentable {
  public static var operationKind: GraphQL.OperationType { .query }
}

extension GraphQL.MutationRepresentable {
  public static var operationKind: GraphQL.OperationType { .mutation }
}

extension GraphQL.SubscriptionRepresentable {
  public static var operationKind: GraphQL.OperationType { .subscription }
}
