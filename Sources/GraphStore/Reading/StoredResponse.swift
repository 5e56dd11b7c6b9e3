import GraphQLRuntime

/// What the store has of the answer to a query.
public struct StoredResponse<Root: GraphQL.AbstractResponse>: Sendable {
  /// The answer, checked as a server's is; nil when part of it is missing.
  public let data: Root?
  /// Response paths of what is not in the store; empty when the answer is whole.
  public let missing: [[GraphQL.ResponsePathElement]]
  /// The errors that the server last reported for fields of the answer, by their paths in it. A field
  /// with an error has the value that was there before, or else null.
  public let errors: [GraphQL.ResponseError]
  /// Every entity that the answer depends on, in the store or not.
  public let entities: Set<GraphQL.EntityKey>
}
