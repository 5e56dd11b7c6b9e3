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
