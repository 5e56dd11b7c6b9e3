import GraphQLRuntime

extension Graph {
  /// The data that was deleted when a user logged out.
  public struct LogoutReport: Sendable, Hashable {
    /// The keys of the objects that were deleted.
    public let deleted: [GraphQL.EntityKey]
    /// Work that was never sent, and will not be sent.
    public let unsent: [UnsentWork]
  }
}
