import GraphJSON
import GraphQLRuntime
import GraphStorage

extension RecordSource {
  /// A connection with all nodes from the list's start, as far as pages are adjacent; nil if there
  /// is none, or a page cannot be read.
  func connection(_ head: GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument? {
    try connectionAndVisited(head).json
  }

  /// The same, with the entities on which it depends.
  func connectionAndVisited(
    _ head: GraphQL.EntityKey
  ) throws(Graph.StoreError) -> (json: JSONDocument?, visited: [GraphQL.EntityKey]) {
    var reader = try ConnectionReader(key: ConnectionKey(head: head), schema: schema) {
      key throws(Graph.StoreError) in try record(key)
    }
    return (try reader?.whole(), reader?.visited ?? [])
  }
}

/// Reads a connection: all of its first segment, or one page.
struct ConnectionReader {
  let key: ConnectionKey
  let load: (GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?
  private let head: ConnectionHead
  /// The edits that are expected.
  private let edits: [ListEdit]
  private let schema: GraphQL.SchemaTable
  /// The rows that were read, the objects of edits, and those by whose values these are ordered.
  private(set) var visited: [GraphQL.EntityKey] = []
  /// The part of the head on which the page that was read depends.
  private(set) var shape: ConnectionShape?

  /// nil if there is no such connection.
  init?(
    key: ConnectionKey, schema: GraphQL.SchemaTable,
    load: @escaping (GraphQL.EntityKey) throws(Graph.StoreError) -> JSONDocument?
  ) throws(Graph.StoreError) {
    guard let record = try load(key.head),
      let typeName = schema.objectTypeName(ofField: key.head.typeName)
    else { return nil }
    self.key = key
    self.load = load
    self.schema = schema
    head = ConnectionHead(record, typeName: typeName)
    edits = record.edits
  }

  var typeName: String { head.typeName }

  /// The connection's object with its own fields.
  func withoutPage() -> JSONDocument? { object(ConnectionPage()) }

  /// The connection's object with every node from the list's start, as far as pages are adjacent.
  mutating func whole() throws(Graph.StoreError) -> JSONDocument? {
    var all = ConnectionPage()
    guard let segment = head.main else { return object(all) }
    var isWhole = true
    for pageNumber in segment.pageNumbers {
      guard let page = try page(pageNumber) else { return nil }
      // Pages may have been selected with different lists.
      if !all.entries.isEmpty, !page.hasLists(of: all) {
        isWhole = false
        break
      }
      all.append(page)
    }
    all.info = Self.info(
      start: segment.start, end: isWhole ? segment.end : all.end,
      hasNext: isWhole ? segment.hasNext : true, hasPrevious: segment.hasPrevious,
      isEmpty: all.entries.isEmpty)
    return try edited(all, segment, from: 0)
  }

  /// The connection's object with the nodes of a page; nil if some of them are missing.
  mutating func page(_ requested: GraphQL.Page) throws(Graph.StoreError) -> JSONDocument? {
    guard let (segment, first) = try position(requested) else { return nil }
    let isSearched = !visited.isEmpty
    let step = requested.isBackward
    guard let first else {
      // The page starts where the segment ends.
      guard (step ? segment.hasPrevious : segment.hasNext) == false else { return nil }
      var empty = ConnectionPage()
      if let pageNumber = segment.pageNumbers.first, let page = try page(pageNumber) {
        empty.hasEdges = page.hasEdges
        empty.hasNodes = page.hasNodes
      }
      empty.info = Self.info(
        start: nil, end: nil, hasNext: step, hasPrevious: !step, isEmpty: true)
      return object(empty)
    }
    var found = ConnectionPage()
    var pageNumber: PageNumber? = first.pageNumber
    var skip = first.skip
    while let here = pageNumber, requested.count.map({ found.entries.count < $0 }) ?? true {
      guard let page = try page(here) else { return nil }
      // A page that was requested in exactly this way is the result, with as many nodes as the
      // server returned.
      if found.entries.isEmpty, skip == 0, page.requested == ConnectionPage.size(of: requested) {
        if !isSearched { shape = shape(of: requested, segment, first, pageCount: 1) }
        var page = page
        let hasMore = segment.next(here, backward: step) != nil
        if page.info == nil {
          page.info = info(of: page, segment, from: first, isCut: hasMore, step)
        } else if hasMore, case .object(var info)? = page.info {
          // The list may have grown after its last page arrived.
          let name = step ? "hasPreviousPage" : "hasNextPage"
          if info[name] == false { info[name] = true }
          page.info = .object(info)
        }
        return try edited(page, segment, at: first, count: page.entries.count, step)
      }
      let kept = step ? 0..<page.entries.count - skip : skip..<page.entries.count
      let part = page.part(kept)
      if step {
        var joined = part
        joined.append(found)
        joined.info = nil
        found = joined
      } else {
        found.append(part)
      }
      skip = 0
      pageNumber = segment.next(here, backward: step)
    }
    if !isSearched {
      shape = shape(of: requested, segment, first, pageCount: visited.count)
    }
    let isEnd = pageNumber == nil
    // Without a size, the server decides how many nodes a page has, unless the list ends before.
    if requested.count.map({ found.entries.count < $0 }) ?? true,
      (step ? segment.hasPrevious : segment.hasNext) != false
    {
      return nil
    }
    let count = requested.count ?? found.entries.count
    let kept = step ? found.suffix(count) : found.prefix(count)
    let isCut = kept.count < found.entries.count || !isEnd
    if kept.count < found.entries.count { found.entries = Array(kept) }
    found.info = info(of: found, segment, from: first, isCut: isCut, step)
    found.requested = nil
    return try edited(found, segment, at: first, count: found.entries.count, step)
  }

  /// Whether the part of the head on which a page depends is the same, if the rows of the page are.
  mutating func still(has shape: ConnectionShape) throws(Graph.StoreError) -> Bool {
    guard let (segment, first) = try position(shape.requested), let first, visited.isEmpty else {
      return false
    }
    let pageCount = shape.pageNumbers.count
    return self.shape(of: shape.requested, segment, first, pageCount: pageCount) == shape
  }

  private func shape(
    of requested: GraphQL.Page, _ segment: ConnectionSegment,
    _ first: (pageNumber: PageNumber, skip: Int), pageCount: Int
  ) -> ConnectionShape? {
    // Edits depend on all pages.
    guard edits.isEmpty else { return nil }
    return ConnectionShape(
      of: requested, head, segment, from: first.pageNumber, skip: first.skip, pageCount: pageCount)
  }

  /// The start of a page: the segment, the page, and the number of skipped nodes. Without a cursor, it
  /// is the first page of the list, or the last one when reading backwards.
  private mutating func position(
    _ requested: GraphQL.Page
  ) throws(Graph.StoreError) -> (ConnectionSegment, (pageNumber: PageNumber, skip: Int)?)? {
    let step = requested.isBackward
    func far(_ segment: ConnectionSegment) -> (pageNumber: PageNumber, skip: Int)? {
      (step ? segment.pageNumbers.last : segment.pageNumbers.first).map { ($0, 0) }
    }
    guard let cursor = requested.cursor.map(ExactKey.init) else {
      return head.segments.first { step ? $0.isLast : $0.isFirst }.map { ($0, far($0)) }
    }
    if let segment = head.segments.first(where: { (step ? $0.before : $0.after) == cursor }) {
      return (segment, far(segment))
    }
    if let segment = head.segments.first(where: { (step ? $0.start : $0.end) == cursor }) {
      return (segment, nil)
    }
    if !step, let pageNumber = try load(key.cursor(cursor)).flatMap(PageNumber.init),
      let segment = head.segments.first(where: { $0.runs.contains { $0.contains(pageNumber) } })
    {
      return (segment, segment.next(pageNumber).map { ($0, 0) })
    }
    for segment in head.segments {
      for pageNumber in segment.pageNumbers {
        guard let page = try page(pageNumber) else { continue }
        if step, page.begins(at: cursor) {
          return (segment, segment.next(pageNumber, backward: true).map { ($0, 0) })
        }
        guard let position = step ? page.position(of: cursor) : page.lastPosition(of: cursor) else {
          continue
        }
        if step {
          if position > 0 { return (segment, (pageNumber, page.entries.count - position)) }
          return (segment, segment.next(pageNumber, backward: true).map { ($0, 0) })
        }
        if position + 1 < page.entries.count { return (segment, (pageNumber, position + 1)) }
        return (segment, segment.next(pageNumber).map { ($0, 0) })
      }
    }
    return nil
  }

  /// The known page information of a page.
  ///
  /// - Parameters:
  ///   - first: where the page starts, see ``position(_:)``.
  ///   - isCut: whether the segment continues after the page.
  ///   - isBackward: whether the page ends at `first` instead.
  private func info(
    of page: ConnectionPage, _ segment: ConnectionSegment,
    from first: (pageNumber: PageNumber, skip: Int), isCut: Bool, _ isBackward: Bool
  ) -> JSON {
    let isAtEnd =
      first.skip == 0 && segment.next(first.pageNumber, backward: !isBackward) == nil
    let (hasEarlier, hasLater) = isBackward ? (isCut, !isAtEnd) : (!isAtEnd, isCut)
    return Self.info(
      start: page.start ?? (hasEarlier ? nil : segment.start),
      end: page.end ?? (hasLater ? nil : segment.end),
      hasNext: hasLater ? true : segment.hasNext,
      hasPrevious: hasEarlier ? true : segment.hasPrevious,
      isEmpty: page.entries.isEmpty)
  }

  /// Values that are not known are left out. A page without nodes has no cursors.
  private static func info(
    start: ExactKey?, end: ExactKey?, hasNext: Bool?, hasPrevious: Bool?, isEmpty: Bool
  ) -> JSON {
    var object = JSON.Object()
    object["startCursor"] = isEmpty ? .null : start.map { .string($0.text) }
    object["endCursor"] = isEmpty ? .null : end.map { .string($0.text) }
    object["hasNextPage"] = hasNext.map(JSON.bool)
    object["hasPreviousPage"] = hasPrevious.map(JSON.bool)
    return .object(object)
  }

  private mutating func page(_ pageNumber: PageNumber) throws(Graph.StoreError) -> ConnectionPage? {
    visited.append(key.page(pageNumber))
    return try load(key.page(pageNumber)).map(ConnectionPage.init)
  }

  /// A page with the expected edits.
  ///
  /// - Parameters:
  ///   - place: where the page starts, see ``position(_:)``.
  ///   - count: the number of its stored nodes.
  ///   - isBackward: whether the page ends there instead.
  private mutating func edited(
    _ page: ConnectionPage, _ segment: ConnectionSegment,
    at place: (pageNumber: PageNumber, skip: Int), count: Int, _ isBackward: Bool
  ) throws(Graph.StoreError) -> JSONDocument? {
    if edits.isEmpty { return object(page) }
    var start = 0
    for pageNumber in segment.pageNumbers {
      let length = try self.page(pageNumber)?.entries.count ?? 0
      if pageNumber == place.pageNumber {
        start += isBackward ? length - place.skip - count : place.skip
        break
      }
      start += length
    }
    return try edited(page, segment, from: start)
  }

  /// - Parameter start: the position of the page's first node in its segment.
  private mutating func edited(
    _ page: ConnectionPage, _ segment: ConnectionSegment, from start: Int
  ) throws(Graph.StoreError) -> JSONDocument? {
    if edits.isEmpty { return object(page) }
    var all = ConnectionPage()
    for pageNumber in segment.pageNumbers {
      guard let page = try self.page(pageNumber) else { return nil }
      all.append(page)
    }
    var list = EditedList(all.entries.map(\.key))
    for edit in edits where head.applies(edit, to: segment) {
      let order = OrderedField(of: edit, schema)
      visited.append(edit.key)
      var compared: [GraphQL.EntityKey] = []
      try list.apply(edit) { key throws(Graph.StoreError) in
        try order?.value(of: key) { key throws(Graph.StoreError) in
          compared.append(key)
          return try load(key)
        }
      }
      visited += compared
    }
    var new = page
    new.entries = []
    var last: ExactKey?
    for item in list.items(of: start..<start + page.entries.count) {
      if let position = item.position {
        new.entries.append(all.entries[position])
        last = all.entries[position].cursor ?? last
      } else if let key = item.key, try load(key) != nil {
        new.entries.append(
          ConnectionPage.Entry(
            of: key, in: page, cursor: last ?? page.start, connection: head.typeName, schema))
      }
    }
    // A node may have moved to this page from one with other lists.
    new.hasEdges = new.hasEdges && new.entries.allSatisfy { $0.edge != nil }
    new.hasNodes = new.hasNodes && new.entries.allSatisfy { $0.node != nil }
    return object(new)
  }

  private func object(_ page: ConnectionPage) -> JSONDocument? {
    JSONDocument(
      record: page.text(typeName: head.typeName, fields: head.fields.dropFirst().dropLast()))
  }
}

/// The part of a connection's head on which a page depends. The head changes with every page that is added. While this and
/// the rows of the page are the same, so is the page.
struct ConnectionShape: Sendable, Equatable {
  let requested: GraphQL.Page
  /// The rows of the page, in the order in which they are read.
  let pageNumbers: [PageNumber]
  private let skip: Int
  private let fields: [UInt8]
  /// The end of the segment from which the page is read, which decides whether something precedes the page.
  private let near: End
  /// The other end; nil if the segment continues after the page.
  private let far: End?

  private struct End: Equatable {
    let cursor: ExactKey?
    let continues: Bool?
  }

  /// - Parameters:
  ///   - skip: the number of nodes of the first row that are not in the page.
  ///   - pageCount: the number of rows that were read.
  init(
    of requested: GraphQL.Page, _ head: ConnectionHead, _ segment: ConnectionSegment,
    from first: PageNumber, skip: Int, pageCount: Int
  ) {
    let isBackward = requested.isBackward
    var numbers = [first]
    var next = segment.next(first, backward: isBackward)
    while numbers.count < pageCount, let number = next {
      numbers.append(number)
      next = segment.next(number, backward: isBackward)
    }
    let start = End(cursor: segment.start, continues: segment.hasPrevious)
    let end = End(cursor: segment.end, continues: segment.hasNext)
    self.requested = requested
    self.skip = skip
    pageNumbers = numbers
    fields = head.fields
    near = isBackward ? end : start
    far = next == nil ? (isBackward ? start : end) : nil
  }
}
