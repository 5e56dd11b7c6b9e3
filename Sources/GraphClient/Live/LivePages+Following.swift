import GraphQLRuntime

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
