import GraphJSON
import GraphQLRuntime
import GraphStorage

// Pages without edges have the cursors of their ends only, in `pageInfo`. So only whole pages can be replaced.

extension ConnectionWriter {
  /// Whether a page repeats the start of a segment, or the end of one of its first pages: a server that does not know
  /// the cursor may begin the list again.
  func repeats(
    _ page: ConnectionPage, in index: Int, before position: Int
  ) throws(Graph.StoreError) -> Bool {
    let numbers = head.segments[index].pageNumbers.prefix(position)
    if let number = numbers.first, let first = try self.page(number), page.repeatsStart(of: first) {
      return true
    }
    guard let end = page.end, let pageNumber = try pageNumber(endingWith: end) else { return false }
    return numbers.contains(pageNumber)
  }

  /// Whether a page before a cursor repeats the end of a segment.
  ///
  /// - Parameter position: that of the cursor among the segment's pages.
  func repeatsEnd(
    of index: Int, _ page: ConnectionPage, before position: Int
  ) throws(Graph.StoreError) -> Bool {
    guard let number = head.segments[index].pageNumbers.dropFirst(position).last,
      let last = try self.page(number)
    else { return false }
    return page.repeatsEnd(of: last)
  }

  /// Drops the pages after a cursor: the list has changed there.
  mutating func cut(
    _ index: Int, from position: Int, at cursor: ExactKey
  ) throws(Graph.StoreError) {
    let numbers = head.segments[index].pageNumbers
    guard position > 0, position < numbers.count else { return }
    for number in numbers[position...] { try remove(number) }
    head.segments[index].runs = Self.runs(of: numbers[..<position])
    head.segments[index].end = cursor
    head.segments[index].before = nil
    head.segments[index].hasNext = nil
    head.segments[index].isLast = false
  }

  /// Drops the pages before a cursor, except the start of the list.
  mutating func cut(
    _ index: Int, before position: Int, at cursor: ExactKey
  ) throws(Graph.StoreError) {
    let numbers = head.segments[index].pageNumbers
    guard position > 0, position < numbers.count, !head.segments[index].isFirst else { return }
    for number in numbers[..<position] { try remove(number) }
    head.segments[index].runs = Self.runs(of: numbers[position...])
    head.segments[index].start = cursor
    head.segments[index].after = nil
    head.segments[index].hasPrevious = nil
  }

  /// Removes the other segments that have a cursor of a page: they are older. If one of them is the start of the list,
  /// it stays and the segment is removed.
  ///
  /// - Returns: the index of the segment; nil if it is removed.
  mutating func removeOthers(
    than index: Int, with page: ConnectionPage
  ) throws(Graph.StoreError) -> Int? {
    if head.segments.count == 1 { return index }
    let target = head.segments[index]
    let others = try overlapping(page).filter { $0 != index }
    if others.contains(where: {
      head.segments[$0].isFirst || (head.segments[$0].isLast && !target.isFirst)
    }) {
      try remove(segmentsAt: [index])
      return nil
    }
    try remove(segmentsAt: others)
    return index - others.count { $0 < index }
  }

  /// Removes the segments that have a cursor of a page whose place is not known.
  ///
  /// - Returns: false if one of them is the start of the list, or its end: the page cannot have a place in addition.
  mutating func removeOverlapping(_ page: ConnectionPage) throws(Graph.StoreError) -> Bool {
    let others = try overlapping(page)
    if others.contains(where: { head.segments[$0].isFirst || head.segments[$0].isLast }) {
      return false
    }
    try remove(segmentsAt: others)
    return true
  }

  /// - Parameter indices: in ascending order.
  private mutating func remove(segmentsAt indices: [Int]) throws(Graph.StoreError) {
    for index in indices.reversed() {
      try remove(head.segments[index])
      head.segments.remove(at: index)
    }
  }

  /// The segments that have a cursor of a page, in ascending order.
  private func overlapping(_ page: ConnectionPage) throws(Graph.StoreError) -> [Int] {
    let cursors = Set((page.entries.map(\.cursor) + [page.start, page.end]).compactMap(\.self))
    var indices: [Int] = []
    for (index, segment) in head.segments.enumerated() {
      if try overlaps(segment, cursors, page) { indices.append(index) }
    }
    return indices
  }

  private func overlaps(
    _ segment: ConnectionSegment, _ cursors: Set<ExactKey>, _ page: ConnectionPage
  ) throws(Graph.StoreError) -> Bool {
    // A segment that continues the page is joined with it.
    if let after = segment.after, cursors.contains(after),
      after != page.end || page.hasNext == false
    {
      return true
    }
    if let before = segment.before, cursors.contains(before),
      before != page.start || page.hasPrevious == false
    {
      return true
    }
    for number in segment.pageNumbers {
      guard let known = try self.page(number) else { continue }
      let ends = [known.start, known.end].compactMap(\.self)
      if ends.contains(where: cursors.contains) { return true }
      if known.entries.contains(where: { $0.cursor.map(cursors.contains) ?? false }) { return true }
    }
    return false
  }

  /// The place after a cursor of which no edge is known: the segment, and the position among its pages.
  func boundary(
    after cursor: ExactKey
  ) throws(Graph.StoreError) -> (segment: Int, position: Int)? {
    if let index = head.segments.firstIndex(where: { $0.after == cursor }) { return (index, 0) }
    guard let pageNumber = try pageNumber(endingWith: cursor) else { return nil }
    for (index, segment) in head.segments.enumerated() {
      if let position = segment.pageNumbers.firstIndex(of: pageNumber) {
        return (index, position + 1)
      }
    }
    return nil
  }

  /// The place before a cursor of which no edge is known.
  func boundary(
    before cursor: ExactKey
  ) throws(Graph.StoreError) -> (segment: Int, position: Int)? {
    for (index, segment) in head.segments.enumerated() {
      if segment.before == cursor { return (index, segment.pageNumbers.count) }
      for (position, pageNumber) in segment.pageNumbers.enumerated() {
        if try page(pageNumber)?.begins(at: cursor) == true { return (index, position) }
      }
    }
    return nil
  }

  /// Replaces the pages after a cursor by a page, up to one that has the same end. Others are dropped, since
  /// their position is not known any more.
  mutating func replacePages(
    of index: Int, from position: Int, by page: ConnectionPage, at cursor: ExactKey
  ) throws(Graph.StoreError) {
    let numbers = head.segments[index].pageNumbers
    var reached: Int?
    if let end = page.end, page.hasNext != false {
      for other in position..<numbers.count where reached == nil {
        if try self.page(numbers[other])?.end == end { reached = other }
      }
    }
    let tail = reached.map { numbers[($0 + 1)...] } ?? []
    let end = reached.map { $0 + 1 } ?? numbers.count
    try replacePages(of: index, numbers[..<position], numbers[position..<end], tail, by: page)
    guard !head.segments[index].runs.isEmpty else {
      head.segments.remove(at: index)
      return
    }
    if position == 0 { head.segments[index].start = page.start }
    if tail.isEmpty {
      head.segments[index].end = page.entries.isEmpty ? cursor : page.end
      head.segments[index].before = nil
      head.segments[index].hasNext = page.hasNext ?? (page.entries.isEmpty ? false : nil)
      head.segments[index].isLast = false
    }
    join(index)
  }

  /// Replaces the pages before a cursor by a page, down to one that has the same start.
  mutating func replacePages(
    of index: Int, before position: Int, by page: ConnectionPage, at cursor: ExactKey
  ) throws(Graph.StoreError) {
    let numbers = head.segments[index].pageNumbers
    var reached: Int?
    if let start = page.start, page.hasPrevious != false {
      for other in (0..<position).reversed() where reached == nil {
        if try self.page(numbers[other])?.start == start { reached = other }
      }
    }
    try replacePages(
      of: index, reached.map { numbers[..<$0] } ?? [], numbers[(reached ?? 0)..<position],
      numbers[position...], by: page)
    guard !head.segments[index].runs.isEmpty else {
      head.segments.remove(at: index)
      return
    }
    if position == numbers.count { head.segments[index].end = page.end }
    if reached == nil {
      head.segments[index].start = page.entries.isEmpty ? cursor : page.start
      head.segments[index].after = nil
      head.segments[index].hasPrevious = page.hasPrevious
      head.segments[index].isFirst = false
    }
    join(index)
  }

  /// Puts a page between others.
  private mutating func replacePages(
    of index: Int, _ before: ArraySlice<PageNumber>, _ replaced: ArraySlice<PageNumber>,
    _ after: ArraySlice<PageNumber>, by page: ConnectionPage
  ) throws(Graph.StoreError) {
    for pageNumber in replaced { try remove(pageNumber) }
    var runs = Self.runs(of: before)
    if !page.entries.isEmpty {
      let run = head.nextRun
      head.nextRun += 1
      try put(page, at: PageNumber(run: run, number: 0))
      runs.append(.init(id: run, first: 0, last: 0))
    }
    head.segments[index].runs = runs + Self.runs(of: after)
  }

  /// Replaces the start of a segment, or its end, by a page that has the same nodes with the same cursors, but fewer than
  /// the segment. A stored page in which it ends is split there.
  ///
  /// - Returns: false if the nodes are others; then nothing has changed.
  mutating func replacesSameNodes(
    of index: Int, by page: ConnectionPage, isBackward: Bool
  ) throws(Graph.StoreError) -> Bool {
    guard !page.entries.isEmpty, (isBackward ? page.hasPrevious : page.hasNext) != false else {
      return false
    }
    let numbers = head.segments[index].pageNumbers
    var known = ConnectionPage()
    var count = 0
    while known.entries.count < page.entries.count, count < numbers.count {
      let number = isBackward ? numbers[numbers.count - 1 - count] : numbers[count]
      guard var joined = try self.page(number) else { return false }
      if isBackward {
        joined.append(known)
      } else {
        let next = joined
        joined = known
        joined.append(next)
      }
      known = joined
      count += 1
    }
    let rest = known.entries.count - page.entries.count
    let split = isBackward ? rest : page.entries.count
    guard rest > 0 || (rest == 0 && count < numbers.count),
      let new = page.updating(isBackward ? known.entries[split...] : known.entries[..<split])
    else { return false }
    known.info = nil
    known.requested = nil
    let other = known.part(isBackward ? 0..<split : split..<known.entries.count)
    let replaced = isBackward ? numbers.suffix(count) : numbers.prefix(count)
    for number in replaced { try remove(number) }
    let run = head.nextRun
    head.nextRun += 1
    let pages = rest == 0 ? [new] : isBackward ? [other, new] : [new, other]
    for (number, page) in pages.enumerated() {
      try put(page, at: PageNumber(run: run, number: number))
    }
    let runs = [ConnectionSegment.Run(id: run, first: 0, last: pages.count - 1)]
    if isBackward {
      head.segments[index].runs = Self.runs(of: numbers.dropLast(count)) + runs
      head.segments[index].hasNext = page.hasNext ?? head.segments[index].hasNext
    } else {
      head.segments[index].runs = runs + Self.runs(of: numbers.dropFirst(count))
      head.segments[index].hasPrevious = page.hasPrevious ?? head.segments[index].hasPrevious
    }
    return true
  }

  private static func runs(of numbers: ArraySlice<PageNumber>) -> [ConnectionSegment.Run] {
    var runs: [ConnectionSegment.Run] = []
    for number in numbers {
      if let last = runs.last, last.id == number.run, last.last + 1 == number.number {
        runs[runs.count - 1].last = number.number
      } else {
        runs.append(.init(id: number.run, first: number.number, last: number.number))
      }
    }
    return runs
  }
}

// The effect of a mutation on a connection: the stored pages change. The next response with a page replaces it
// as the server has it.
extension ConnectionWriter {
  /// Adds an object to the connection, or removes it. An object that is not stored is not added.
  mutating func apply(_ edit: ListEdit) throws(Graph.StoreError) {
    if edit.place == .removed {
      for segment in head.segments { try remove(edit.key, from: segment) }
      return
    }
    guard try transaction.base(edit.key) != nil,
      let segment = head.segments.first(where: { head.applies(edit, to: $0) })
    else { return }
    try insert(edit, into: segment)
  }

  private func remove(
    _ key: GraphQL.EntityKey, from segment: ConnectionSegment
  ) throws(Graph.StoreError) {
    for pageNumber in segment.pageNumbers {
      guard let page = try page(pageNumber) else { continue }
      var rest = page
      rest.entries.removeAll { $0.key == key }
      if rest.entries.count < page.entries.count { try replace(page, by: rest, at: pageNumber) }
    }
  }

  private func insert(
    _ edit: ListEdit, into segment: ConnectionSegment
  ) throws(Graph.StoreError) {
    var pages: [(number: PageNumber, page: ConnectionPage)] = []
    for pageNumber in segment.pageNumbers {
      guard let page = try page(pageNumber) else { return }
      pages.append((pageNumber, page))
    }
    let order = OrderedField(of: edit, transaction.schema)
    var list = EditedList(pages.flatMap { $0.page.entries.map(\.key) })
    try list.apply(edit) { key throws(Graph.StoreError) in
      try order?.value(of: key) { key throws(Graph.StoreError) in try transaction.base(key) }
    }
    guard let place = list.items.firstIndex(where: { $0.position == nil }) else { return }
    // The object is added to the page with the node before it.
    var offset = 0
    for (number, page) in pages {
      let end = offset + page.entries.count
      if place <= end, !page.entries.isEmpty || number == pages.last?.number {
        var changed = page
        let cursor = page.entries.isEmpty ? nil : page.entries[max(place - offset, 1) - 1].cursor
        changed.entries.insert(
          ConnectionPage.Entry(
            of: edit.key, in: page, cursor: cursor, connection: head.typeName, transaction.schema),
          at: place - offset)
        return try replace(page, by: changed, at: number)
      }
      offset = end
    }
  }

  private func replace(
    _ old: ConnectionPage, by new: ConnectionPage, at pageNumber: PageNumber
  ) throws(Graph.StoreError) {
    // The page is still the one that the server has sent with its last cursor.
    if let end = old.end, !new.ends.contains(end) {
      transaction.put(nil, in: try transaction.entityState(of: key.cursor(end)))
    }
    try put(new, at: pageNumber)
  }
}
