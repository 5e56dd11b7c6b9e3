public import GraphQLSchema

/// An operation as it is sent to the service: for manifests of trusted documents.
public struct PrintedOperation: Sendable, Equatable {
  /// The operation's name.
  public var name: String
  /// Whether it is a query, a mutation or a subscription.
  public var kind: OperationType
  /// The document that is sent: the operation, then the fragments that it uses, without insignificant
  /// white space.
  public var text: String
  /// The SHA-256 hash of the text's UTF-8, in lower-case hexadecimal digits.
  public var hash: String
  /// The position of the operation's name.
  public var position: SourcePosition?
}
