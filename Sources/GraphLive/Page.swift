import GraphClient
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

extension Graph {
  /// The query for one page of a list, and how the page is read from the response.
  public struct PageQuery<Item: Sendable>: Sendable {
    let operation: Result<any PageOperation<Item>, QueryError>

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - query: a builder's query, or an operation of a document.
    ///   - page: reads the page. It returns nil if the response has none, because the server could not compute it;
    ///     that is an error of the list.
    public init<Query: GraphQL.QueryRepresentable>(
      _ query: Query, page: @escaping @Sendable (Query.Response) -> Page<Item>?
    ) {
      do throws(GraphQL.InvalidQuery) {
        operation = .success(PageReader(operation: try query.operation(), page: page))
      } catch {
        operation = .failure(QueryError(error))
      }
    }
  }

  /// Requests, reads and follows one page, whatever the type of its response.
  protocol PageOperation<Item>: Sendable {
    associatedtype Item: Sendable

    var document: String { get }
    var variables: [UInt8] { get }

    /// The page in the store; nil if it is not there.
    @MainActor func stored(
      in store: any GraphQL.ObservableResponseStore, maximumAge: Duration?
    ) -> PageContent<Item>?

    /// Sends the query.
    ///
    /// - Parameter receive: called with each response.
    @MainActor func send(
      by client: Client, _ policy: CachePolicy, receive: (PageArrival<Item>) -> Void
    ) async throws(QueryError)

    /// Calls `onChange` with the page in the store, now and after each change, until the result is released.
    @MainActor func observe(
      in store: any GraphQL.ObservableResponseStore,
      onChange: @escaping @MainActor @Sendable (Result<PageContent<Item>?, any Error>) -> Void
    ) -> any Sendable
  }

  /// A response with a page.
  struct PageArrival<Item: Sendable> {
    /// nil if the server has sent no page.
    let content: PageContent<Item>?
    /// Why there is no page, or why it is a stored one.
    let error: QueryError?
    /// Whether the page is the server's.
    let isConfirmed: Bool
    /// Whether the page has older values where the server has sent none.
    let isOlder: Bool
    /// Where the response comes from.
    let source: LiveSource
    /// Whether the response belongs to a user who has logged out.
    let isOfEarlierUser: Bool
  }

  /// A page as it is in a response.
  struct PageContent<Item: Sendable> {
    let page: Page<Item>
    let errors: [GraphQL.ResponseError]
    /// The identities of the items, in their order.
    let identities: [AnyHashable?]
    /// The time since the server last sent the oldest part; nil if it is unknown.
    let age: Duration?

    init(_ page: Page<Item>, _ errors: [GraphQL.ResponseError], age: Duration? = nil) {
      self.age = age
      self.page = page
      self.errors = errors
      identities = page.items.map(ItemComparison.identity)
    }

    /// A store that combines pages does not always know the cursors between nodes; they are those of `other` then. nil
    /// if the page does not contain the item at such a cursor: items would be missing before the next page.
    func withCursors(of other: PageContent) -> PageContent? {
      guard page.lacksCursor else { return self }
      if page.lacksNext, !contains(other.identities.last) { return nil }
      if page.lacksPrevious, !contains(other.identities.first) { return nil }
      return PageContent(
        Page(
          page.items, next: page.lacksNext ? other.page.next : page.next,
          previous: page.lacksPrevious ? other.page.previous : page.previous), errors, age: age)
    }

    /// Whether there is an item; true if it has no identity.
    private func contains(_ identity: AnyHashable??) -> Bool {
      guard let identity else { return false }
      return identity == nil || identities.contains(identity)
    }
  }
}

extension Graph.PageOperation {
  func isSame(as other: any Graph.PageOperation<Item>) -> Bool {
    document == other.document && variables == other.variables
  }
}

/// A query, with the type of its response.
private struct PageReader<Root: GraphQL.ResponseRoot, Item: Sendable>: Graph.PageOperation {
  let operation: GraphQL.Operation<Root>
  let page: @Sendable (Root) -> Graph.Page<Item>?

  var document: String { operation.document }
  var variables: [UInt8] { operation.variables }

  @MainActor func stored(
    in store: any GraphQL.ObservableResponseStore, maximumAge: Duration?
  ) -> Graph.PageContent<Item>? {
    (try? store.currentResponse(to: operation, maximumAge: maximumAge)).flatMap(content)
  }

  @MainActor func send(
    by client: Graph.Client, _ policy: Graph.CachePolicy,
    receive: (Graph.PageArrival<Item>) -> Void
  ) async throws(Graph.QueryError) {
    let last = try await client.lastResponse(to: operation, policy: policy) { response in
      receive(arrival(response, client))
    }
    receive(arrival(last, client))
  }

  @MainActor func observe(
    in store: any GraphQL.ObservableResponseStore,
    onChange:
      @escaping @MainActor @Sendable (
        Result<Graph.PageContent<Item>?, any Error>
      ) -> Void
  ) -> any Sendable {
    store.observeResponse(to: operation) { change in
      onChange(change.map { $0.flatMap(content) })
    }
  }

  private func content(_ stored: GraphQL.StoredResponse<Root>) -> Graph.PageContent<Item>? {
    page(stored.data).map { Graph.PageContent($0, stored.errors, age: stored.age) }
  }

  @MainActor private func arrival(
    _ response: Graph.Response<Root>, _ client: Graph.Client
  ) -> Graph.PageArrival<Item> {
    let arrived = response.data.flatMap(page).map { Graph.PageContent($0, response.errors) }
    var stored: Graph.PageContent<Item>?
    var isOlder = false
    // The store's response contains changes that were not sent yet.
    if arrived != nil, response.storeError == nil,
      let store = client.store as? any GraphQL.ObservableResponseStore
    {
      let current = try? store.currentResponse(to: operation, maximumAge: nil)
      stored = current.flatMap(content)
      isOlder = current.map { response.isNewer(than: $0.data) } ?? false
    }
    if let arrived, !arrived.page.lacksCursor { stored = stored?.withCursors(of: arrived) }
    isOlder = isOlder && stored != nil
    return Graph.PageArrival(
      content: stored ?? arrived,
      error: arrived == nil ? response.error ?? .noPage : response.networkError,
      isConfirmed: response.source == .network, isOlder: isOlder,
      source: isOlder ? .cache(nil) : Graph.LiveSource(response.source, at: client.time.now),
      isOfEarlierUser: response.storeError is GraphQL.StaleGeneration)
  }
}
