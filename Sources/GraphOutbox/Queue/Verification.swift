import GraphQLRuntime

extension Graph {
  /// The outcome of an uncertain operation.
  public enum Verification: Sendable {
    /// It was carried out. The key is the server's for the object that it created, if any.
    case executed(key: GraphQL.ID? = nil)
    /// It was not carried out, and is retried.
    case notExecuted
    /// The program does not know: it stays uncertain until ``Outbox/retry(_:)``, ``Outbox/confirm(_:key:)`` or
    /// ``Outbox/cancel(_:)``.
    case unknown
  }
}
