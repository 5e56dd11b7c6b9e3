extension Graph {
  /// The place of a page in a list, from which its query is created.
  public enum PagePosition: Hashable, Sendable {
    /// The page that is requested first: the one at the beginning of the list, or the one at its end if the query has
    /// `last`.
    case start
    /// The page of a connection after a cursor.
    case after(String)
    /// The page of a connection before a cursor.
    case before(String)
    /// The page that begins after a number of items.
    case offset(Int)
    /// The page with a number.
    case number(Int)

    /// The cursor after which the page begins.
    public var after: String? { if case .after(let cursor) = self { cursor } else { nil } }

    /// The cursor before which the page ends.
    public var before: String? { if case .before(let cursor) = self { cursor } else { nil } }

    /// The number of items before the page.
    public var offset: Int? { if case .offset(let offset) = self { offset } else { nil } }

    /// The page's number.
    public var number: Int? { if case .number(let number) = self { number } else { nil } }
  }
}
