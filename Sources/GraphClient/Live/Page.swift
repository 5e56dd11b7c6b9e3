import GraphQLRuntime

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

extension Graph {
  /// The adjacent pages of a list that were loaded.
  struct PageChain<Item: Sendable> {
    struct LoadedPage {
      let position: PagePosition
      let operation: any PageOperation<Item>
      var content: PageContent<Item>
      /// Whether the server has sent it since the list began or was refreshed.
      var isConfirmed: Bool
      var source: LiveSource

      var next: PagePosition? { content.page.next }
      var previous: PagePosition? { content.page.previous }
    }

    private(set) var pages: [LoadedPage] = []
    /// The identities of the items.
    private var shown: Set<AnyHashable> = []

    /// The page after the last one, unless it was loaded before.
    var next: PagePosition? { pages.last?.next.flatMap { index(of: $0) == nil ? $0 : nil } }

    /// The page before the first one, unless it was loaded before.
    var previous: PagePosition? {
      pages.first?.previous.flatMap { index(of: $0) == nil ? $0 : nil }
    }

    /// The source of all pages; nil if there are none.
    var source: LiveSource? {
      guard let first = pages.first?.source else { return nil }
      return pages.dropFirst().reduce(first) { $0.combined(with: $1.source) }
    }

    /// The index of the page that was requested first.
    var start: Int? { index(of: .start) }

    /// Whether the page that was loaded last in a direction has the same query. A list that ignores the position of
    /// its pages would not end.
    func repeats(_ operation: any PageOperation<Item>, forwards: Bool) -> Bool {
      guard let page = forwards ? pages.last : pages.first else { return false }
      return page.operation.isSame(as: operation)
    }

    func index(of position: PagePosition) -> Int? { pages.firstIndex { $0.position == position } }

    /// All items in their order, each once.
    mutating func items() -> [Item] {
      shown = []
      var items: [Item] = []
      for page in pages { add(page.content, to: &items) }
      return items
    }

    /// Adds a page at the end.
    ///
    /// - Returns: its items, without those that are in other pages.
    mutating func append(_ page: LoadedPage) -> [Item] {
      pages.append(page)
      var items: [Item] = []
      add(page.content, to: &items)
      return items
    }

    mutating func prepend(_ page: LoadedPage) { pages.insert(page, at: 0) }

    /// Replaces the page that was requested first.
    ///
    /// - Parameter keepsOthers: false removes all other pages.
    mutating func setStart(_ page: LoadedPage, keepsOthers: Bool) {
      if keepsOthers, let start { pages[start] = page } else { pages = [page] }
    }

    /// - Returns: whether the content differs.
    mutating func replace(_ index: Int, _ content: PageContent<Item>) -> Bool {
      let old = pages[index].content
      if old.page.next == content.page.next, old.page.previous == content.page.previous,
        old.errors == content.errors, ItemComparison.areSame(old.page.items, content.page.items)
      {
        return false
      }
      pages[index].content = content
      return true
    }

    /// Removes a page, and those that are reached through it.
    mutating func remove(_ index: Int) {
      if index > start ?? 0 {
        pages.removeSubrange(index...)
      } else {
        pages.removeSubrange(...index)
      }
    }

    /// The server may have changed a page since.
    mutating func doubt(_ index: Int) { pages[index].isConfirmed = false }

    /// The server may have changed all pages since.
    mutating func doubtAll() { for index in pages.indices { doubt(index) } }

    private mutating func add(_ content: PageContent<Item>, to items: inout [Item]) {
      for (item, identity) in zip(content.page.items, content.identities) {
        if let identity, !shown.insert(identity).inserted { continue }
        items.append(item)
      }
    }
  }
}

extension Graph {
  /// Compares items of any type as far as that is possible.
  enum ItemComparison {
    /// Distinguishes an item from others of its list: the key of an object of a builder, or the `id` of an
    /// identifiable value.
    static func identity(_ item: some Sendable) -> AnyHashable? {
      if let object = item as? GraphQL.AbstractResponse {
        return (try? object._entityKey()).map { AnyHashable($0) }
      }
      guard let value = item as? any Identifiable else { return nil }
      return id(value)
    }

    /// Whether two lists of items are known to have the same content.
    static func areSame<Item: Sendable>(_ left: [Item], _ right: [Item]) -> Bool {
      left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    }

    private static func id(_ item: some Identifiable) -> AnyHashable { AnyHashable(item.id) }

    private static func isSame(_ left: some Sendable, _ right: some Sendable) -> Bool {
      guard let left = left as? any Equatable else { return false }
      return isEqual(left, right)
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: some Sendable) -> Bool {
      left == (right as? Value)
    }
  }
}
