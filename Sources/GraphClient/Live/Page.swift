extension Graph {
  /// The items of one page of a list, and where its neighbours are.
  public struct Page<Item: Sendable>: Sendable {
    /// The items in their order.
    public let items: [Item]
    /// The page after this one; nil if this is the last.
    public let next: PagePosition?
    /// The page before this one; nil if this is the first.
    public let previous: PagePosition?
    /// Whether there is a page after this one whose cursor is missing, so that it cannot be requested.
    let lacksNext: Bool
    /// Whether there is such a page before this one.
    let lacksPrevious: Bool

    /// A page of any list.
    ///
    /// - Parameters:
    ///   - next: nil if there are no items after these.
    ///   - previous: nil if there are no items before these, or if the list is only read forwards.
    public init(_ items: [Item], next: PagePosition?, previous: PagePosition? = nil) {
      self.items = items
      self.next = next
      self.previous = previous
      lacksNext = false
      lacksPrevious = false
    }

    /// A page of a connection. Pass the fields of its `pageInfo`: the first two to read forwards, the last two to
    /// read backwards.
    public init(
      _ items: [Item], hasNextPage: Bool = false, endCursor: String? = nil,
      hasPreviousPage: Bool = false, startCursor: String? = nil
    ) {
      self.items = items
      next = hasNextPage ? endCursor.map { .after($0) } : nil
      previous = hasPreviousPage ? startCursor.map { .before($0) } : nil
      lacksNext = hasNextPage && endCursor == nil
      lacksPrevious = hasPreviousPage && startCursor == nil
    }

    var lacksCursor: Bool { lacksNext || lacksPrevious }
  }
}
