import GraphQLRuntime

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
