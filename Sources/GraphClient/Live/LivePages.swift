import GraphQLRuntime
import Observation

extension Graph {
  /// A list that is loaded page by page and stays alive: its ``items`` follow the client's store, and views that read
  /// them are notified through Observation.
  ///
  /// All pages that the store has are there when the initialiser returns. The first page is then requested if the
  /// policy requires that. If it has changed so that it does not lead to the following pages any more, those are
  /// removed.
  ///
  /// One page is requested at a time. A call that requests a page which is already being requested waits for it.
  /// After an error, the list stays as it is, and the next call requests the same page.
  ///
  /// A server that sends a wrong `pageInfo` does not cause endless requests. The list ends with an error
  /// (`protocolViolation`) at a page that has a neighbour but no cursor for it, and at one that leads to a page that
  /// was loaded before. Pages without new items are skipped; ten of them in a row are an error, and the next call
  /// continues after them.
  ///
  /// A call returns when its task is cancelled, and the request continues. In a task that is already cancelled, it does
  /// nothing.
  ///
  /// Without a store that can be observed, such as `Graph.Store`, the items are those of the responses.
  ///
  /// When the object is released, its request is cancelled.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor @Observable
  public final class LivePages<Item: Sendable> {
    /// Creates the query for a page.
    public typealias Query = @MainActor (PagePosition) -> PageQuery<Item>

    /// The items of all loaded pages, in their order. An object with a key, or an `Identifiable` value, is there once,
    /// even if several pages contain it.
    public internal(set) var items: [Item] = []
    /// The errors that the server reported for parts of the pages.
    public internal(set) var errors: [GraphQL.ResponseError] = []
    /// The list's activity, and why the last request has failed.
    public internal(set) var phase = LivePhase.idle
    /// Whether a page after ``items`` is awaited.
    public internal(set) var isLoadingNext = false
    /// Whether a page before ``items`` is awaited.
    public internal(set) var isLoadingPrevious = false
    /// Whether there is a page after ``items``; false while there are none.
    public internal(set) var hasNext = false
    /// Whether there is a page before ``items``; false while there are none.
    public internal(set) var hasPrevious = false
    /// Whether a part of ``items`` was not confirmed by the server since the list began, since ``refresh()`` or since
    /// ``update(_:)``. After `update(_:)`, they may be those of the earlier query.
    public internal(set) var isStale = false
    /// Where ``items`` come from, and when: the cache if a page of them does. A change of a page in the store
    /// does not change it. nil while no page is loaded.
    public internal(set) var source: LiveSource?

    @ObservationIgnored let client: Client
    @ObservationIgnored let cachePolicy: CachePolicy
    @ObservationIgnored var query: Query
    /// The query for the first page; nil if the builder has a problem.
    @ObservationIgnored var operation: (any PageOperation<Item>)?
    @ObservationIgnored var chain = PageChain<Item>()
    /// The request that is running, with its purpose.
    @ObservationIgnored var request: (live: LiveRequest, load: PageLoad, policy: CachePolicy)?
    @ObservationIgnored var requestCount = 0
    /// The observations of pages in the store.
    @ObservationIgnored var observations: [PagePosition: any Sendable] = [:]
    /// The number of queries before this one: changes of pages of an earlier query may arrive late.
    @ObservationIgnored var updateCount = 0
    /// The login whose data is shown.
    @ObservationIgnored var generation: GraphQL.StoreGeneration?
    /// The requests for the first page that are sent since it is missing in the store.
    @ObservationIgnored var missingRequests = MissingRequests()
    /// Whether the first page replaces all pages when it arrives.
    @ObservationIgnored var isRefreshing = false
    /// Whether the pages that follow are requested from the server first, whatever the policy.
    @ObservationIgnored var hasRefreshed = false

    /// Begins a list.
    ///
    /// - Parameters:
    ///   - cachePolicy: determines whether stored pages are shown first, and whether the first page is requested. By
    ///     default, both. Further pages come from the server, or from the cache if that is not possible; with
    ///     `cacheFirst` and `cacheOnly` they come from the cache if it has them.
    ///   - query: creates the query for a page. Queries for equal positions have to be equal, and those of two
    ///     pages that follow each other have to differ; otherwise the list ends with the error `protocolViolation`.
    public init(
      in client: Client, cachePolicy: CachePolicy = .cacheAndNetwork, query: @escaping Query
    ) {
      self.client = client
      self.cachePolicy = cachePolicy
      self.query = query
      begin(query)
    }

    /// Loads the page after ``items``, or the first page if there is none yet, and waits for it. Does nothing after
    /// the last page. It may be called each time that the last row of a view appears.
    ///
    /// An error is in ``phase``.
    public func loadNext() async { await load(.next) }

    /// Loads the page before ``items`` and waits for it. Does nothing if the first page is loaded.
    ///
    /// An error is in ``phase``.
    public func loadPrevious() async { await load(.previous) }

    /// Loads the pages after ``items``, one after another, until there are no more, until there are at least `limit`
    /// items, until an error, or until the calling task is cancelled.
    public func loadAll(limit: Int) async {
      var attempts = 0
      repeat {
        if Task.isCancelled { return }
        let count = chain.pages.count
        await loadNext()
        // Another query may have changed the start of the list meanwhile, so that it is shorter.
        attempts = chain.pages.count > count ? 0 : attempts + 1
        if phase.error != nil || attempts == Self.emptyPageLimit { return }
      } while hasNext && items.count < limit
    }

    /// Requests the first page, whatever the policy, and waits for it. The items stay until it has arrived; it then
    /// replaces them. If a page is being requested, that request is cancelled.
    ///
    /// An error is in ``phase``; the list is left as it is.
    public func refresh() async {
      if Task.isCancelled { return }
      if let request, request.load == .start, request.policy.alwaysSends {
        // The running request is for the same page.
        beginRefresh()
      } else {
        beginRefresh()
        send(.start, .networkFirst)
      }
      await requestTask?.end()
    }

    /// Continues with another list, usually of the same query with other variables. The items are kept until the first
    /// page has arrived. Does nothing if the query for the first page is the same.
    public func update(_ query: @escaping Query) {
      self.query = query
      begin(query)
    }

    private func begin(_ query: Query) {
      switch query(.start).operation {
      case .failure(let error):
        stop()
        operation = nil
        enter(.failed(error))
      case .success(let new):
        if let operation, operation.isSame(as: new) { return }
        stop()
        operation = new
        show(isStale: !items.isEmpty)
        enter(.idle)
        begin()
      }
    }

    private func stop() {
      request = nil
      observations = [:]
      updateCount += 1
      chain = PageChain()
      missingRequests = MissingRequests()
      isRefreshing = false
      hasRefreshed = false
      showActivity(nil)
      show(hasNext: false, hasPrevious: false)
    }

    private func beginRefresh() {
      isRefreshing = true
      hasRefreshed = true
      missingRequests = MissingRequests()
      chain.doubtAll()
      show(isStale: !items.isEmpty)
    }
  }

  /// The purpose of a request.
  enum PageLoad {
    /// The first page, or all of the list again.
    case start
    case next
    case previous
  }
}

// A property is set only if its value changes, since each assignment notifies the observers.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Graph.LivePages {
  /// Shows the pages.
  func publish() {
    let new = chain.items()
    if !Graph.ItemComparison.areSame(items, new) { items = new }
    publishState()
  }

  /// Adds a page at the end, at the cost of that page.
  func append(_ page: Graph.PageChain<Item>.LoadedPage) {
    let new = chain.append(page)
    if !new.isEmpty { items.append(contentsOf: new) }
    publishState()
    observe(page.position, page.operation)
  }

  func enter(_ newPhase: Graph.LivePhase) {
    if phase != newPhase { phase = newPhase }
  }

  func showActivity(_ load: Graph.PageLoad?) {
    if isLoadingNext != (load == .next) { isLoadingNext = load == .next }
    if isLoadingPrevious != (load == .previous) { isLoadingPrevious = load == .previous }
  }

  func show(hasNext newNext: Bool, hasPrevious newPrevious: Bool) {
    if hasNext != newNext { hasNext = newNext }
    if hasPrevious != newPrevious { hasPrevious = newPrevious }
  }

  func show(isStale newValue: Bool) {
    if isStale != newValue { isStale = newValue }
  }

  private func publishState() {
    let newErrors = chain.pages.flatMap(\.content.errors)
    if errors != newErrors { errors = newErrors }
    show(isStale: chain.pages.contains { !$0.isConfirmed })
    let newSource = chain.source
    if source != newSource { source = newSource }
    show(hasNext: chain.next != nil, hasPrevious: chain.previous != nil)
  }
}
