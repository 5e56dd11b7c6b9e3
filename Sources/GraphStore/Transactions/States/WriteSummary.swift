import GraphQLRuntime

extension Graph {
  /// The result of a write: the keys of the objects that it contained, in that order.
  public struct WriteSummary: Sendable, Hashable {
    /// Objects that are new.
    public var inserted: [GraphQL.EntityKey] = []
    /// Objects with at least one changed value.
    public var updated: [GraphQL.EntityKey] = []
    /// Objects that existed with the same values.
    public var unchanged: [GraphQL.EntityKey] = []
    /// Objects that were deleted.
    public var deleted: [GraphQL.EntityKey] = []
    /// The keys of the top-level objects of the write, in its order.
    public var roots: [GraphQL.EntityKey] = []

    /// A summary of no objects.
    public init() {}

    /// Whether nothing was written.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }
}
