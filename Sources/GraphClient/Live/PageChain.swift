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
