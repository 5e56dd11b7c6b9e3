extension GraphQL {
  /// What a write did: the keys of the objects that it met, in the order in which it met them.
  public struct Record: Sendable, Hashable {
    /// Objects that were not there before.
    public var inserted: [EntityKey] = []
    /// Objects of which a value changed.
    public var updated: [EntityKey] = []
    /// Objects that were there with the same values.
    public var unchanged: [EntityKey] = []
    /// Objects that are gone.
    public var deleted: [EntityKey] = []
    /// The keys of the objects at the top of what was written, in its order.
    public var roots: [EntityKey] = []

    /// A record of nothing.
    public init() {}

    /// Whether nothing was written.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }
}
