import GraphClient
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

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Graph.LivePages {
  /// The number of pages without new items after which a request ends.
  static var emptyPageLimit: Int { 10 }

  /// Shows the stored pages and requests the first one, as the policy requires.
  func begin() {
    checkLogin()
    guard let operation else { return }
    if let store, cachePolicy.readsCacheFirst { readStored(operation, store) }
    if let first = chain.pages.first {
      publish()
      follow()
      let isComplete =
        chain.pages.allSatisfy(\.content.errors.isEmpty) && !first.content.page.lacksCursor
      if cachePolicy.kind == .cacheFirst, isComplete { return }
    }
    if cachePolicy.kind != .cacheOnly {
      send(.start, chain.pages.isEmpty ? cachePolicy : .networkFirst)
    } else if store == nil {
      send(.start, .cacheOnly)
    } else {
      follow()
    }
  }

  /// Loads a page in a direction, or waits for it if it is being requested. Waits for other requests first.
  func load(_ load: Graph.PageLoad) async {
    guard !Task.isCancelled, let wanted = position(of: load) else { return }
    // The first page is not loaded in a direction.
    let load = wanted == .start ? .start : load
    while let (task, running) = request.map({ ($0.live.task, $0.load) }) {
      await task.end()
      if running == load || Task.isCancelled { return }
    }
    // The page may be there by now, or not be the next one any more.
    guard position(of: load) == wanted else { return }
    send(load, load == .start ? cachePolicy : furtherPolicy)
    await requestTask?.end()
  }

  /// Requests a page. A request that is running is cancelled.
  func send(_ first: Graph.PageLoad, _ firstPolicy: Graph.CachePolicy) {
    checkLogin()
    requestCount += 1
    let number = requestCount
    showActivity(first)
    enter(first == .start && !items.isEmpty ? .refreshing : .loading)
    let task = Task { [weak self, client] in
      var (load, policy) = (first, firstPolicy)
      var outcome = Outcome.nothingNew
      var count = 0
      while outcome == .nothingNew, count < Self.emptyPageLimit {
        guard let position = self?.position(of: load), let query = self?.query(position) else {
          break
        }
        count += 1
        do throws(Graph.QueryError) {
          let operation = try query.operation.get()
          if position != .start,
            self?.chain.repeats(operation, forwards: load != .previous) == true
          {
            throw Graph.QueryError.repeatedPage
          }
          try await operation.send(by: client, policy) { [weak self] arrival in
            guard let self, self.isCurrent(number) else { return }
            outcome = self.receive(arrival, load, position, operation)
          }
        } catch {
          outcome = .failed(error)
        }
        guard self?.isCurrent(number) == true else { return }
        if load == .start, let furtherPolicy = self?.furtherPolicy {
          (load, policy) = (.next, furtherPolicy)
          self?.request?.load = load
          self?.request?.policy = policy
        }
      }
      guard let self, self.isCurrent(number) else { return }
      if outcome == .nothingNew, self.position(of: load) != nil { outcome = .failed(.emptyPages) }
      self.finish(outcome)
    }
    request = (Graph.LiveRequest(number, task), first, firstPolicy)
  }

  /// The running request. It does not keep the request itself, which ends when it is replaced.
  var requestTask: Task<Void, Never>? { request?.live.task }

  /// The page to request.
  private func position(of load: Graph.PageLoad) -> Graph.PagePosition? {
    switch load {
    case .start: .start
    case .next: chain.pages.isEmpty ? .start : chain.next
    case .previous: chain.previous
    }
  }

  /// The policy for pages other than the first.
  private var furtherPolicy: Graph.CachePolicy {
    switch cachePolicy.kind {
    case .cacheOnly, .networkOnly: cachePolicy
    case .cacheFirst: hasRefreshed ? .networkFirst : cachePolicy
    case .networkFirst: cachePolicy
    case .cacheAndNetwork: .networkFirst
    }
  }

  private func isCurrent(_ number: Int) -> Bool { request?.live.number == number }

  // MARK: Responses

  private enum Outcome: Equatable {
    case added
    /// The page has no items that were not there before.
    case nothingNew
    /// The response is not used.
    case ignored
    case failed(Graph.QueryError)
  }

  private func receive(
    _ arrival: Graph.PageArrival<Item>, _ load: Graph.PageLoad, _ position: Graph.PagePosition,
    _ operation: any Graph.PageOperation<Item>
  ) -> Outcome {
    // A logout ends this request.
    if checkLogin() || arrival.isOfEarlierUser { return .ignored }
    guard let content = arrival.content else { return .failed(arrival.error ?? .noPage) }
    let page = Graph.PageChain<Item>
      .LoadedPage(
        position: position, operation: operation, content: content,
        isConfirmed: arrival.isConfirmed && !arrival.isOlder, source: arrival.source)
    let count = items.count
    if position == .start {
      // A cached page does not replace what is there.
      if !arrival.isConfirmed, !chain.pages.isEmpty {
        return arrival.error.map { .failed($0) } ?? .ignored
      }
      chain.setStart(page, keepsOthers: !isRefreshing)
      isRefreshing = false
      removeUnreachable(from: chain.start ?? 0)
      publish()
    } else if chain.index(of: position) == nil, self.position(of: load) != position {
      // The pages that led here were removed meanwhile.
      return .nothingNew
    } else if load == .previous {
      chain.prepend(page)
      publish()
    } else {
      append(page)
    }
    if let error = arrival.error { return .failed(error) }
    if let problem = problem(at: position) { return .failed(problem) }
    let isNew = position == .start ? !items.isEmpty : items.count > count
    return isNew ? .added : .nothingNew
  }

  /// Why the list cannot be continued after a page.
  private func problem(at position: Graph.PagePosition) -> Graph.QueryError? {
    guard let index = chain.index(of: position) else { return nil }
    let page = chain.pages[index]
    if page.content.page.lacksCursor { return .noCursor }
    let isLast = index == chain.pages.count - 1
    if isLast && page.next != nil && chain.next == nil
      || index == 0 && page.previous != nil && chain.previous == nil
    {
      return .repeatedPage
    }
    return nil
  }

  private func finish(_ outcome: Outcome) {
    request = nil
    isRefreshing = false
    checkLogin()
    showActivity(nil)
    if case .failed(let error) = outcome, error.code != .cancelled {
      enter(.failed(error))
    } else {
      enter(.idle)
    }
    // A stored page is not shown in place of the server's.
    if !chain.pages.isEmpty || cachePolicy.kind != .networkOnly { follow() }
  }
}

extension Graph.QueryError {
  static let noPage = Graph.QueryError(.noData, message: "the response has no page")

  static let noCursor = violation(
    "there is another page, but the server has sent no cursor to request it")

  static let repeatedPage = violation("the next page is one that was loaded before")

  static let emptyPages = violation("many pages in a row have no new items")
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Graph.LivePages {
  var store: (any GraphQL.ObservableResponseStore)? {
    client.store as? any GraphQL.ObservableResponseStore
  }

  /// Reads all adjacent pages that the store has.
  func readStored(
    _ start: any Graph.PageOperation<Item>, _ store: any GraphQL.ObservableResponseStore
  ) {
    func page(
      _ position: Graph.PagePosition, _ operation: any Graph.PageOperation<Item>
    ) -> Graph.PageChain<Item>.LoadedPage? {
      operation.stored(in: store, maximumAge: cachePolicy.expiry)
        .map {
          .init(
            position: position, operation: operation, content: $0, isConfirmed: false,
            source: Graph.LiveSource(age: $0.age, at: client.time.now))
        }
    }
    guard let first = page(.start, start) else { return }
    _ = chain.append(first)
    while let position = chain.next, let operation = try? query(position).operation.get(),
      !chain.repeats(operation, forwards: true), let next = page(position, operation)
    {
      _ = chain.append(next)
    }
    while let position = chain.previous, let operation = try? query(position).operation.get(),
      !chain.repeats(operation, forwards: false), let previous = page(position, operation)
    {
      chain.prepend(previous)
    }
  }

  /// Observes the first page and all loaded pages, and no others.
  func follow() {
    guard let operation else { return }
    let positions = Set([.start] + chain.pages.map(\.position))
    observations = observations.filter { positions.contains($0.key) }
    observe(.start, operation)
    for page in chain.pages { observe(page.position, page.operation) }
  }

  /// Observes a page, unless it is observed.
  func observe(_ position: Graph.PagePosition, _ operation: any Graph.PageOperation<Item>) {
    guard let store, observations[position] == nil else { return }
    observations[position] = operation.observe(in: store) { [weak self, updateCount] change in
      self?.receive(change, position, updateCount)
    }
  }

  private func receive(
    _ change: Result<Graph.PageContent<Item>?, any Error>, _ position: Graph.PagePosition,
    _ updateCount: Int
  ) {
    guard updateCount == self.updateCount, observations[position] != nil else { return }
    // The change may still contain the data of the former user.
    if checkLogin() { return }
    switch change {
    case .success(let content?): receive(content, position)
    case .success(nil): receiveMissing(position)
    case .failure(let error):
      // The observation has ended; the next request begins another one.
      observations[position] = nil
      enter(.failed(Graph.QueryError(error)))
    }
  }

  private func receive(_ content: Graph.PageContent<Item>, _ position: Graph.PagePosition) {
    if let index = chain.index(of: position) {
      guard let content = content.withCursors(of: chain.pages[index].content) else {
        return receiveMissing(position)
      }
      guard chain.replace(index, content) else { return }
      removeUnreachable(from: index)
    } else if position == .start, request == nil, let operation {
      // Another query has requested it.
      chain.setStart(
        .init(
          position: .start, operation: operation, content: content, isConfirmed: true,
          source: Graph.LiveSource(age: stored(operation)?.age, at: client.time.now)),
        keepsOthers: false)
    } else {
      return
    }
    publish()
    follow()
  }

  /// Part of a page is missing in the store, because of a logout, a deletion, an eviction, or a newer first page.
  private func receiveMissing(_ position: Graph.PagePosition) {
    guard let index = chain.index(of: position), let start = chain.start else {
      return
    }
    if index == start {
      chain.doubt(index)
      publish()
      guard cachePolicy.kind != .cacheOnly, request == nil,
        missingRequests.begin(at: client.time.now)
      else { return }
      return send(.start, .networkFirst)
    }
    // A change of the page that leads here may arrive later.
    let neighbour = chain.pages[index > start ? index - 1 : index + 1]
    let content =
      stored(neighbour.operation)?.withCursors(of: neighbour.content) ?? neighbour.content
    if (index > start ? content.page.next : content.page.previous) == position {
      chain.doubt(index)
    } else {
      chain.remove(index)
    }
    publish()
    follow()
  }

  /// Removes the pages to which a changed page does not lead any more, unless they are still adjacent in the store.
  func removeUnreachable(from index: Int) {
    guard let start = chain.start else { return }
    let page = chain.pages[index]
    if index >= start, index + 1 < chain.pages.count {
      let following = chain.pages[index + 1]
      if !isAdjacent(following, at: page.next, by: \.first) { chain.remove(index + 1) }
    }
    if index <= start, index > 0 {
      let preceding = chain.pages[index - 1]
      if !isAdjacent(preceding, at: page.previous, by: \.last) { chain.remove(index - 1) }
    }
  }

  /// Whether a page begins at a position. The position of its neighbour differs from the page's own one if the item at
  /// the cursor was deleted, and also if others were inserted, which the list would lack.
  ///
  /// - Parameter end: the item of a page that is next to the position.
  private func isAdjacent(
    _ page: Graph.PageChain<Item>.LoadedPage, at position: Graph.PagePosition?,
    by end: KeyPath<[AnyHashable?], AnyHashable??>
  ) -> Bool {
    if page.position == position { return true }
    guard let position, let operation = try? query(position).operation.get(),
      let adjacent = stored(operation), let known = stored(page.operation)
    else { return false }
    return adjacent.identities[keyPath: end] == known.identities[keyPath: end]
  }

  private func stored(_ operation: any Graph.PageOperation<Item>) -> Graph.PageContent<Item>? {
    store.flatMap { operation.stored(in: $0, maximumAge: nil) }
  }

  /// Removes the data of a user who has logged out, and cancels the request for it.
  ///
  /// - Returns: whether there was a logout.
  @discardableResult
  func checkLogin() -> Bool {
    let current = store?.generation
    defer { generation = current }
    guard current != generation, generation != nil else { return false }
    request = nil
    isRefreshing = false
    chain = Graph.PageChain()
    publish()
    showActivity(nil)
    enter(.idle)
    follow()
    return true
  }
}
