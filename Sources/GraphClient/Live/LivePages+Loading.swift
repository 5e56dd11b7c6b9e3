import GraphQLRuntime

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
