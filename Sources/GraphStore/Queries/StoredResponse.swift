import GraphQLRuntime

extension Graph {
  /// The store's response to a query, or an object of the store as a fragment.
  public struct StoredResponse<Root: Sendable>: Sendable {
    /// The response, checked like a server's; nil if part of it is missing.
    public let data: Root?
    /// Response paths of values that are not in the store; empty if the response is complete. The path of an
    /// object that is read as a fragment is empty.
    public let missing: [[GraphQL.ResponsePathElement]]
    /// The errors that the server last reported for fields of the response, by their paths in it. A
    /// field with an error has its earlier value, or else null.
    public let errors: [GraphQL.ResponseError]
    /// Every entity on which the response depends, whether it is in the store or not.
    public let entities: Set<GraphQL.EntityKey>
    /// The parts of connections' heads on which the response depends. A change of another part of them does not affect it.
    let shapes: [GraphQL.EntityKey: [ConnectionShape]]
  }
}
