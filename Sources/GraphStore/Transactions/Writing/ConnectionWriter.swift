import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Adds a page from a response to a connection.
///
/// A page whose cursor is the end of a segment, or of one of its pages, has the cost of the page
/// alone. A cursor inside a page is searched page by page.
struct ConnectionWriter {
  let key: ConnectionKey
  let transaction: Graph.Transaction
  var head: ConnectionHead
  /// Whether a response contains the pages.
  var isArrival = true
  /// The maximum number of nodes of a combined page.
  private static let pageSize = 100

  init(
    key: ConnectionKey, typeName: String, transaction: Graph.Transaction
  ) throws(Graph.StoreError) {
    self.key = key
    self.transaction = transaction
    head =
      try transaction.base(key.head).map { ConnectionHead($0, typeName: typeName) }
      ?? ConnectionHead(typeName: typeName)
  }

  /// - Parameter incoming: the connection's object, with links.
  mutating func write(_ incoming: JSONDocument, _ requested: GraphQL.Page) throws(Graph.StoreError)
  {
    transaction.committed.uses?.note(key.head)
    if let owner = key.owner, let storageKey = key.storageKey {
      transaction.received.insert(ReceivedList(owner: owner, storageKey: storageKey))
    }
    mergeFields(of: incoming)
    var page = ConnectionPage(incoming)
    page.requested = ConnectionPage.size(of: requested)
    if page.hasEdges || page.hasNodes {
      if let cursor = requested.cursor.map(ExactKey.init) {
        if requested.isBackward {
          try prepend(page, before: cursor)
        } else {
          try append(page, after: cursor)
        }
      } else {
        try reset(page, isBackward: requested.isBackward)
      }
    }
    let state = try transaction.entityState(of: key.head)
    let record = head.record
    if state.base.map({ !$0.isSame(as: record) }) ?? true { transaction.put(record, in: state) }
  }

  /// Fields of the connection itself, such as `totalCount`: the last value counts.
  private mutating func mergeFields(of incoming: JSONDocument) {
    var fields = JSON.Object()
    guard case .object(let stored) = try? JSON(parsing: head.fields),
      case .object(let incomingMembers) = incoming.json(at: JSONDocument.rootIndex)
    else { return }
    for member in stored.members { fields[member.key] = member.value }
    for member in incomingMembers.members
    where member.key != "__typename" && !ConnectionPage.memberNames.contains(member.key) {
      fields[member.key] = member.value
    }
    head.fields = Array(JSON.object(fields).description.utf8)
  }

  // MARK: Pages

  /// Writes a page without a cursor, which is the start of the list, or its end. All other pages may be
  /// out of date and are removed. A page that is already stored changes nothing, and one with the nodes at the start of
  /// the stored list, or at its end, only their values.
  private mutating func reset(_ page: ConnectionPage, isBackward: Bool) throws(Graph.StoreError) {
    if let known = head.segments.first(where: { isBackward ? $0.isLast : $0.isFirst }),
      let pageNumber = isBackward ? known.pageNumbers.last : known.pageNumbers.first,
      let stored = try transaction.base(key.page(pageNumber)),
      stored.isSame(as: RecordText(page.text(typeName: head.typeName))),
      known.pageNumbers.count == 1 || (isBackward ? page.hasPrevious : page.hasNext) != false
    {
      if known.pageNumbers.count == 1, let index = head.segments.firstIndex(of: known) {
        if isBackward {
          head.segments[index].hasPrevious = page.hasPrevious
        } else {
          head.segments[index].hasNext = page.hasNext
        }
      }
      return
    }
    if let index = head.segments.firstIndex(where: { isBackward ? $0.isLast : $0.isFirst }),
      try replacesSameNodes(of: index, by: page, isBackward: isBackward)
    {
      return
    }
    for segment in head.segments { try remove(segment) }
    head.segments = []
    var segment = try newSegment(page)
    segment.isFirst = !isBackward
    segment.isLast = isBackward
    head.segments = [segment]
  }

  private mutating func append(
    _ page: ConnectionPage, after cursor: ExactKey
  ) throws(Graph.StoreError) {
    if let target = head.segments.firstIndex(where: { $0.end == cursor }) {
      if try repeats(page, in: target, before: .max) { return }
      guard let index = try removeOthers(than: target, with: page) else { return }
      try extend(index, page)
    } else if let pageNumber = try pageNumber(endingWith: cursor),
      let target = head.segments.firstIndex(where: { $0.runs.contains { $0.contains(pageNumber) } }
      ),
      let next = head.segments[target].next(pageNumber),
      let stored = try self.page(next), page.end != nil, stored.end == page.end,
      page.hasNext != false || head.segments[target].pageNumbers.last == next
    {
      try put(page, at: next)
      if head.segments[target].pageNumbers.last == next {
        head.segments[target].hasNext = page.hasNext
      }
    } else if let target = try segment(with: cursor) {
      guard let index = try removeOthers(than: target, with: page) else { return }
      try splice(index, page, at: cursor, isBackward: false)
    } else if let (target, position) = try boundary(after: cursor) {
      if try repeats(page, in: target, before: position) {
        return try cut(target, from: position, at: cursor)
      }
      guard let index = try removeOthers(than: target, with: page) else { return }
      try replacePages(of: index, from: position, by: page, at: cursor)
    } else {
      try insertSegment(page, after: cursor, before: nil)
    }
  }

  private mutating func prepend(
    _ page: ConnectionPage, before cursor: ExactKey
  ) throws(Graph.StoreError) {
    if let target = head.segments.firstIndex(where: { $0.start == cursor }) {
      if try repeatsEnd(of: target, page, before: 0) { return }
      guard let index = try removeOthers(than: target, with: page) else { return }
      head.segments[index].hasPrevious = page.hasPrevious
      guard !page.entries.isEmpty else { return }
      head.segments[index].runs[0].first -= 1
      let run = head.segments[index].runs[0]
      try put(page, at: PageNumber(run: run.id, number: run.first))
      head.segments[index].start = page.start
      head.segments[index].after = nil
      // The list has become longer at its start.
      if page.hasPrevious == true { head.segments[index].isFirst = false }
      join(index)
    } else if let target = try segment(with: cursor) {
      guard let index = try removeOthers(than: target, with: page) else { return }
      try splice(index, page, at: cursor, isBackward: true)
    } else if let (target, position) = try boundary(before: cursor) {
      if try repeatsEnd(of: target, page, before: position) {
        return try cut(target, before: position, at: cursor)
      }
      guard let index = try removeOthers(than: target, with: page) else { return }
      try replacePages(of: index, before: position, by: page, at: cursor)
    } else {
      try insertSegment(page, after: nil, before: cursor)
    }
  }

  private mutating func extend(_ index: Int, _ page: ConnectionPage) throws(Graph.StoreError) {
    head.segments[index].hasNext = page.hasNext ?? (page.entries.isEmpty ? false : nil)
    guard !page.entries.isEmpty else { return }
    let last = head.segments[index].runs.count - 1
    head.segments[index].runs[last].last += 1
    let run = head.segments[index].runs[last]
    try put(page, at: PageNumber(run: run.id, number: run.last))
    head.segments[index].end = page.end
    head.segments[index].before = nil
    if page.hasNext == true { head.segments[index].isLast = false }
    join(index)
  }

  /// Joins two segments if the second starts with the page after the first.
  mutating func join(_ index: Int) {
    func adjoins(_ left: ConnectionSegment, _ right: ConnectionSegment) -> Bool {
      (left.end != nil && left.end == right.after)
        || (right.start != nil && right.start == left.before)
    }
    for other in head.segments.indices where other != index {
      let (left, right) =
        adjoins(head.segments[index], head.segments[other])
        ? (index, other) : (other, index)
      guard adjoins(head.segments[left], head.segments[right]) else { continue }
      let tail = head.segments[right]
      head.segments[left].runs += tail.runs
      head.segments[left].before = tail.before
      head.segments[left].end = tail.end
      head.segments[left].hasNext = tail.hasNext
      head.segments[left].isLast = tail.isLast
      head.segments.remove(at: right)
      return
    }
  }

  /// Adds a page that is not adjacent to another one. If it overlaps a segment, the rest of it becomes
  /// the start or the end of that segment.
  private mutating func insertSegment(
    _ page: ConnectionPage, after: ExactKey?, before: ExactKey?
  ) throws(Graph.StoreError) {
    for segment in head.segments {
      if before == nil, !segment.isFirst, let start = segment.start,
        let known = page.position(of: start), known > 0
      {
        var lead = page.part(0..<known)
        lead.info = nil
        try prepend(lead, before: start)
        if let index = head.segments.firstIndex(where: { $0.start == lead.start }) {
          head.segments[index].after = after
          head.segments[index].hasPrevious = page.hasPrevious
        }
        return
      }
      if after == nil, !segment.isLast, let end = segment.end, let known = page.position(of: end),
        known + 1 < page.entries.count
      {
        let rest = page.part(known + 1..<page.entries.count)
        try append(rest, after: end)
        if let index = head.segments.firstIndex(where: { $0.end == rest.end }) {
          head.segments[index].before = before
          head.segments[index].hasNext = page.hasNext
        }
        return
      }
    }
    guard !page.entries.isEmpty, try removeOverlapping(page) else { return }
    var segment = try newSegment(page)
    segment.after = after
    segment.before = before
    head.segments.append(segment)
    join(head.segments.count - 1)
  }

  private mutating func newSegment(
    _ page: ConnectionPage
  ) throws(Graph.StoreError) -> ConnectionSegment {
    let run = head.nextRun
    head.nextRun += 1
    try put(page, at: PageNumber(run: run, number: 0))
    return ConnectionSegment(
      runs: [.init(id: run, first: 0, last: 0)], start: page.start, end: page.end,
      hasNext: page.hasNext, hasPrevious: page.hasPrevious)
  }

  // MARK: Inside a segment

  /// The segment that has an edge with the cursor.
  private func segment(with cursor: ExactKey) throws(Graph.StoreError) -> Int? {
    for (index, segment) in head.segments.enumerated() {
      for pageNumber in segment.pageNumbers {
        if try page(pageNumber)?.position(of: cursor) != nil { return index }
      }
    }
    return nil
  }

  /// Replaces the pages after an edge, or before it, by a page, up to a common edge. Pages that it
  /// does not reach are dropped, since their position is not known any more.
  private mutating func splice(
    _ index: Int, _ page: ConnectionPage, at cursor: ExactKey, isBackward: Bool
  ) throws(Graph.StoreError) {
    let old = head.segments[index]
    var all = ConnectionPage()
    for pageNumber in old.pageNumbers {
      if let page = try self.page(pageNumber) { all.append(page) }
    }
    guard let position = all.position(of: cursor) else { return }
    let kept = Set(
      (isBackward ? all.entries[position...] : all.entries[...position]).compactMap(\.cursor))
    // An element has moved, or the server has begun the list again: the page has no place.
    let repeats = page.entries.contains { $0.cursor.map(kept.contains) ?? false }
    let page = repeats ? ConnectionPage() : page
    var new = all
    var segment = old
    if isBackward {
      let reached =
        page.hasPrevious == false
        ? nil : page.start.flatMap { all.part(0..<position).position(of: $0) }
      new.entries = Array(all.entries[..<(reached ?? 0)]) + page.entries
      new.entries += all.entries[position...]
      if reached == nil {
        segment.start = page.entries.isEmpty ? cursor : page.start
        segment.after = nil
        segment.hasPrevious = page.hasPrevious
        segment.isFirst = false
      }
    } else {
      let rest = all.part(position + 1..<all.entries.count)
      let reached = page.hasNext == false ? nil : page.end.flatMap { rest.position(of: $0) }
      new.entries = Array(all.entries[...position]) + page.entries
      if let reached, reached + 1 < rest.entries.count {
        new.entries += rest.entries[(reached + 1)...]
      } else {
        segment.end = page.entries.isEmpty ? cursor : page.end
        segment.before = nil
        segment.hasNext = page.hasNext
        segment.isLast = false
      }
    }
    if new.entries != all.entries {
      try remove(old)
      let run = head.nextRun
      head.nextRun += 1
      let pages = new.split(size: Self.pageSize)
      for (number, page) in pages.enumerated() {
        try put(page, at: PageNumber(run: run, number: number))
      }
      segment.runs = [.init(id: run, first: 0, last: max(0, pages.count - 1))]
    }
    head.segments[index] = segment
    join(index)
  }

  // MARK: Rows

  func page(_ pageNumber: PageNumber) throws(Graph.StoreError) -> ConnectionPage? {
    try transaction.base(key.page(pageNumber)).map(ConnectionPage.init)
  }

  func pageNumber(endingWith cursor: ExactKey) throws(Graph.StoreError) -> PageNumber? {
    try transaction.base(key.cursor(cursor)).flatMap(PageNumber.init)
  }

  func put(_ page: ConnectionPage, at pageNumber: PageNumber) throws(Graph.StoreError) {
    let state = try transaction.entityState(of: key.page(pageNumber))
    let record = RecordText(page.text(typeName: head.typeName))
    if state.base.map({ !$0.isSame(as: record) }) ?? true {
      let outdated = state.base?.json.map { ConnectionPage($0).ends.subtracting(page.ends) } ?? []
      for end in outdated where try self.pageNumber(endingWith: end) == pageNumber {
        transaction.put(nil, in: try transaction.entityState(of: key.cursor(end)))
      }
      transaction.put(record, in: state, isArrival: isArrival)
    }
    guard let end = page.end else { return }
    let cursor = try transaction.entityState(of: key.cursor(end))
    let text = RecordText(pageNumber.record(typeName: head.typeName))
    if cursor.base.map({ !$0.isSame(as: text) }) ?? true {
      transaction.put(text, in: cursor, isArrival: isArrival)
    }
  }

  func remove(_ segment: ConnectionSegment) throws(Graph.StoreError) {
    for pageNumber in segment.pageNumbers { try remove(pageNumber) }
  }

  func remove(_ pageNumber: PageNumber) throws(Graph.StoreError) {
    for end in try page(pageNumber)?.ends ?? [] {
      transaction.put(nil, in: try transaction.entityState(of: key.cursor(end)))
    }
    transaction.put(nil, in: try transaction.entityState(of: key.page(pageNumber)))
  }

  /// Deletes the connection with all of its pages.
  func removeAll() throws(Graph.StoreError) {
    for segment in head.segments { try remove(segment) }
    transaction.put(nil, in: try transaction.entityState(of: key.head))
  }
}
