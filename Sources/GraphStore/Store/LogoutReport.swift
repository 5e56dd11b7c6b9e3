import GraphQLRuntime

/// What went with a user who has logged out.
public struct LogoutReport: Sendable, Hashable {
  /// The keys of the objects that were deleted.
  public let deleted: [GraphQL.EntityKey]
  /// Work that was never sent, and that is not sent any more.
  public let unsent: [UnsentWork]
}

/// A queued operation that was dropped.
public struct UnsentWork: Sendable, Hashable {
  /// The operation's ID in its queue.
  public let id: String
  /// The object that it was to change.
  public let entity: GraphQL.EntityKey
  /// The operation's name in its document; empty when it has none.
  public let name: String
  /// Where it was on its way, in the words of its queue.
  public let state: String
}
