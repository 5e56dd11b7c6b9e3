import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Nodes of a connection in their order: the contents of a page's row, or of a response.
struct ConnectionPage {
  /// One edge, one node, or both, as JSON.
  struct Entry: Equatable {
    var edge: ArraySlice<UInt8>?
    var node: ArraySlice<UInt8>?
    var cursor: ExactKey?
  }

  /// The fields of a connection that belong to a page.
  static let memberNames: Set<String> = ["edges", "nodes", "pageInfo"]

  var entries: [Entry] = []
  /// Whether there is a list of that name, possibly empty.
  var hasEdges = false
  var hasNodes = false
  /// The JSON of `pageInfo` as it arrived; nil in a combined page.
  var info: JSON?
  /// How the page was requested, see ``size(of:)``; nil if it is only a part of a page that arrived, or several.
  var requested: String?

  static let sizeName = "&size"

  var start: ExactKey? {
    entries.first?.cursor ?? (entries.isEmpty ? nil : info?["startCursor"]?.exact)
  }
  var end: ExactKey? { entries.last?.cursor ?? (entries.isEmpty ? nil : info?["endCursor"]?.exact) }
  /// The cursors after which the next page begins: that of the last entry, and the one with which the page arrived.
  var ends: Set<ExactKey> {
    Set([end, info?["endCursor"]?.exact].compactMap(\.self))
  }
  var hasNext: Bool? { info?["hasNextPage"]?.flag }
  var hasPrevious: Bool? { info?["hasPreviousPage"]?.flag }

  /// The requested number of nodes, or that the server decides, and the direction.
  static func size(of page: GraphQL.Page) -> String {
    (page.isBackward ? "-" : "") + (page.count.map { "\($0)" } ?? "*")
  }

  init() {}

  /// The page in a record, or in a connection's object as it arrived.
  init(_ json: JSONDocument) {
    let root = JSONDocument.rootIndex
    if let list = json.member("edges", of: root), json.kind(at: list) == .array {
      hasEdges = true
      Self.forEach(in: list, of: json) { edge in
        var entry = Entry(edge: json.source(at: edge))
        if json.kind(at: edge) == .object, let cursor = json.member("cursor", of: edge),
          json.kind(at: cursor) == .string
        {
          entry.cursor = ExactKey(json.string(at: cursor))
        }
        entries.append(entry)
      }
    }
    if let list = json.member("nodes", of: root), json.kind(at: list) == .array {
      hasNodes = true
      var position = 0
      Self.forEach(in: list, of: json) { node in
        if position == entries.count { entries.append(Entry()) }
        entries[position].node = json.source(at: node)
        position += 1
      }
    }
    info = json.member("pageInfo", of: root).map { json.json(at: $0) }
    if let size = json.member(Self.sizeName, of: root), json.kind(at: size) == .string {
      requested = json.string(at: size)
    }
  }

  private static func forEach(in list: Int, of json: JSONDocument, _ body: (Int) -> Void) {
    var element = json.firstChild(of: list)
    let end = json.end(of: list)
    while element < end {
      body(element)
      element = json.next(after: element)
    }
  }

  /// Whether the page arrived with a cursor as that of its first node, which may have been deleted since. Without edges,
  /// only the cursors of a page's ends are known.
  func begins(at cursor: ExactKey) -> Bool {
    start == cursor || info?["startCursor"]?.exact == cursor
  }

  func position(of cursor: ExactKey) -> Int? { entries.firstIndex { $0.cursor == cursor } }

  /// The last entry with a cursor. An entry that a change has added has the cursor of its neighbour.
  func lastPosition(of cursor: ExactKey) -> Int? { entries.lastIndex { $0.cursor == cursor } }

  /// The first entries, with those that have the cursor of the last one as well.
  func prefix(_ count: Int) -> ArraySlice<Entry> {
    var end = count
    while end > 0, end < entries.count, let cursor = entries[end].cursor,
      cursor == entries[end - 1].cursor
    {
      end += 1
    }
    return entries.prefix(end)
  }

  /// The last entries, with those that have the cursor of the first one as well.
  func suffix(_ count: Int) -> ArraySlice<Entry> {
    var start = entries.count - count
    while start > 0, start < entries.count, let cursor = entries[start].cursor,
      cursor == entries[start - 1].cursor
    {
      start -= 1
    }
    return entries.suffix(entries.count - start)
  }

  /// Adds the entries of the following page. A list that one of the two pages lacks is not complete.
  mutating func append(_ other: ConnectionPage) {
    if entries.isEmpty {
      (hasEdges, hasNodes) = (other.hasEdges, other.hasNodes)
    } else if !other.entries.isEmpty {
      (hasEdges, hasNodes) = (hasEdges && other.hasEdges, hasNodes && other.hasNodes)
    }
    entries += other.entries
  }

  /// Whether the page has the lists that another one has.
  func hasLists(of other: ConnectionPage) -> Bool {
    (hasEdges || !other.hasEdges) && (hasNodes || !other.hasNodes)
  }

  /// Pages with all entries in their order, each with the lists that its entries have.
  ///
  /// - Parameter size: the maximum number of entries of a page.
  func split(size: Int) -> [ConnectionPage] {
    var pages: [ConnectionPage] = []
    for entry in entries {
      let (hasEdge, hasNode) = (entry.edge != nil, entry.node != nil)
      if let last = pages.last, last.entries.count < size, last.hasEdges == hasEdge,
        last.hasNodes == hasNode
      {
        pages[pages.count - 1].entries.append(entry)
      } else {
        var page = ConnectionPage()
        page.hasEdges = hasEdge
        page.hasNodes = hasNode
        page.entries = [entry]
        pages.append(page)
      }
    }
    return pages
  }

  /// Part of the page, which no longer counts as one that arrived.
  func part(_ range: Range<Int>) -> ConnectionPage {
    var part = self
    part.entries = Array(entries[range])
    if range.count < entries.count {
      part.info = nil
      part.requested = nil
    }
    return part
  }

  /// The page as JSON.
  ///
  /// - Parameter fields: members before those of the page.
  func text(typeName: String, fields: ArraySlice<UInt8> = []) -> [UInt8] {
    var bytes = Array("{\"__typename\":\"\(typeName)\"".utf8)
    if !fields.isEmpty {
      bytes.append(UInt8(ascii: ","))
      bytes += fields
    }
    if hasEdges { Self.append("edges", entries.compactMap(\.edge), to: &bytes) }
    if hasNodes { Self.append("nodes", entries.compactMap(\.node), to: &bytes) }
    if let info { bytes += Array(",\"pageInfo\":\(info.description)".utf8) }
    if let requested { bytes += Array(",\"\(Self.sizeName)\":\(JSON.string(requested))".utf8) }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func append(
    _ name: String, _ values: [ArraySlice<UInt8>], to bytes: inout [UInt8]
  ) {
    var elements = ListBuilder()
    for value in values { elements.append(value) }
    bytes += Array(",\"\(name)\":".utf8) + elements.finish()
  }
}

extension ConnectionPage.Entry {
  /// The object to which the entry leads.
  var key: GraphQL.EntityKey? {
    if let node { return Self.link(in: node, at: nil) }
    return edge.flatMap { Self.link(in: $0, at: "node") }
  }

  private static func link(
    in text: ArraySlice<UInt8>, at member: String?
  ) -> GraphQL.EntityKey? {
    guard let json = JSONDocument(record: Array(text)) else { return nil }
    let root = JSONDocument.rootIndex
    guard let member else { return GraphQL.StoredLink.key(at: root, in: json) }
    guard let place = json.member(member, of: root), json.kind(at: place) == .object else {
      return nil
    }
    return GraphQL.StoredLink.key(at: place, in: json)
  }

  /// An entry that the server has not sent.
  ///
  /// - Parameters:
  ///   - page: determines whether the entry has an edge, a node, or both.
  ///   - cursor: that of a neighbour, since an edge usually needs one.
  ///   - connection: the name of the connection's type.
  init(
    of key: GraphQL.EntityKey, in page: ConnectionPage, cursor: ExactKey?, connection: String,
    _ schema: GraphQL.SchemaTable
  ) {
    let link = key.linkText
    if page.hasNodes { node = link[...] }
    self.cursor = cursor
    guard page.hasEdges else { return }
    var edge = ObjectBuilder()
    if let name = schema.objectTypeName(ofField: "\(connection).edges") {
      edge.append(name: "__typename", value: Array(JSON.string(name).description.utf8))
    }
    edge.append(name: "cursor", value: Array(JSON.string(cursor?.text ?? "").description.utf8))
    edge.append(name: "node", value: link)
    self.edge = edge.finish()[...]
  }
}

extension ConnectionHead {
  /// Whether an edit of the connection concerns a segment: the start of the list is in the first one, and its
  /// end in the one that reaches it, or else in the first one.
  func applies(_ edit: ListEdit, to segment: ConnectionSegment) -> Bool {
    func reachesEnd(_ segment: ConnectionSegment) -> Bool {
      segment.isLast || segment.hasNext == false
    }
    switch edit.place {
    case .removed: return true
    case .start, .ordered: return segment == main
    case .end: return (segments.last(where: reachesEnd) ?? main) == segment
    }
  }
}

extension ConnectionPage {
  /// Whether the page has the start of another one.
  func repeatsStart(of other: ConnectionPage) -> Bool { Self.repeats(entries, other.entries) }

  /// Whether the page has the end of another one.
  func repeatsEnd(of other: ConnectionPage) -> Bool {
    Self.repeats(entries.reversed(), other.entries.reversed())
  }

  /// The page with the members of stored edges that it does not have; nil if the objects or the cursors are others.
  func updating(_ known: ArraySlice<Entry>) -> ConnectionPage? {
    guard known.count == entries.count else { return nil }
    var page = self
    for (position, old) in known.enumerated() {
      let new = entries[position]
      guard let cursor = new.cursor, cursor == old.cursor, let key = new.key, key == old.key else {
        return nil
      }
      page.entries[position].node = new.node ?? old.node
      if let known = old.edge.flatMap({ JSONDocument(record: Array($0)) }),
        let edge = new.edge.flatMap({ JSONDocument(record: Array($0)) })
      {
        page.entries[position].edge = ArraySlice(known.merging(edge).text.utf8)
      }
    }
    page.hasNodes = page.entries.allSatisfy { $0.node != nil }
    return page
  }

  /// Whether a list contains the first entries of another one. A list may contain an object twice, so one object without
  /// a cursor does not count.
  private static func repeats(_ entries: [Entry], _ others: [Entry]) -> Bool {
    guard let first = others.first else { return false }
    for offset in entries.indices where entries[offset].isSame(as: first) {
      let length = min(entries.count - offset, others.count)
      let isAligned = (0..<length).allSatisfy { entries[offset + $0].isSame(as: others[$0]) }
      if isAligned, length > 1 || first.cursor != nil { return true }
    }
    return false
  }
}

extension ConnectionPage.Entry {
  /// Whether two entries have the same cursor, or the same object if one of them has no cursor.
  fileprivate func isSame(as other: ConnectionPage.Entry) -> Bool {
    if let cursor, let known = other.cursor { return cursor == known }
    return key.map { $0 == other.key } ?? false
  }
}
