import GraphQLRuntime

extension GraphQL {
  /// The result of a write: the keys of the objects that it contained, in that order.
  public struct Record: Sendable, Hashable {
    /// Objects that are new.
    public var inserted: [EntityKey] = []
    /// Objects with at least one changed value.
    public var updated: [EntityKey] = []
    /// Objects that existed with the same values.
    public var unchanged: [EntityKey] = []
    /// Objects that were deleted.
    public var deleted: [EntityKey] = []
    /// The keys of the top-level objects of the write, in its order.
    public var roots: [EntityKey] = []

    /// A record of no objects.
    public init() {}

    /// Whether nothing was written.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }
}
