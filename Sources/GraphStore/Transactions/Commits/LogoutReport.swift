import GraphQLRuntime

extension Graph {
  /// The data that was deleted when a user logged out.
  public struct LogoutReport: Sendable, Hashable {
    /// The keys of the objects that were deleted.
    public let deleted: [GraphQL.EntityKey]
    /// Work that will not be sent any more. An operation whose state is `inTransit` or `uncertain` may have reached the
    /// server.
    public let unsent: [UnsentWork]
    /// Why the deleted data could not be erased from the file yet, for example because another process
    /// reads it or the disk fails; nil if it was erased. The data is deleted anyway. The store tries
    /// again at its next checkpoints until the program ends; ``Store/eraseDeletedData()`` tries again at once.
    public internal(set) var erasureError: StoreError?
  }
}
