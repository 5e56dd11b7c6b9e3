import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Merges the fields that arrived into the stored record.
// Safe: the normalizer keeps `scratch` alive, in which the parts and the record have ranges.
@safe struct RecordMerger: ~Copyable {
  enum Merged {
    case unchanged
    /// The stored record is damaged, and counts as missing.
    case inserted(RecordText)
    case updated(RecordText)
  }

  let plan: GraphQL.StoragePlan
  let parts: ArraySlice<RecordPart>
  /// The buffer of the parts' positions.
  let scratch: UnsafeBufferPointer<UInt8>
  /// The range of the record that consists only of the parts.
  let record: Range<Int>
  let lists: [String: Graph.JSONMapping.ListRule]
  /// The fields whose lists the same response has already put into the record, from another place.
  let repeated: Set<Int>
  /// The targets of values that were replaced by `replaceDeletingOld`, without those of the new
  /// values.
  private(set) var dropped: [GraphQL.EntityKey] = []

  init(
    plan: GraphQL.StoragePlan, parts: ArraySlice<RecordPart>,
    scratch: UnsafeBufferPointer<UInt8>, record: Range<Int>,
    lists: [String: Graph.JSONMapping.ListRule], repeated: Set<Int>
  ) {
    self.plan = plan
    self.parts = parts
    unsafe self.scratch = scratch
    self.record = record
    self.lists = lists
    self.repeated = repeated
  }

  mutating func merged(into stored: RecordText) throws(Graph.StoreError) -> Merged {
    guard let json = stored.json else { return .inserted(fresh) }
    var values: [(index: Int, bytes: ArraySlice<UInt8>)] = []
    var added: [RecordPart] = []
    for part in parts {
      let field = plan.fields[part.field]
      guard let found = index(of: field, in: json) else {
        added.append(part)
        continue
      }
      if let value = try replacement(of: found, in: json, by: part) {
        values.append((found, value))
      }
    }
    let partial = json.partialLists
    let stillPartial = partial.filter { !isWhole($0) }
    if values.isEmpty, added.isEmpty, stillPartial == partial { return .unchanged }
    let record = RecordText(compose(json, values, added))
    if stillPartial == partial { return .updated(record) }
    return .updated(record.json?.withPartialLists(stillPartial) ?? record)
  }

  /// Whether a list has arrived as a whole.
  private func isWhole(_ storageKey: [UInt8]) -> Bool {
    parts.contains { part in
      let field = plan.fields[part.field]
      return field.storageKey == storageKey && lists["\(plan.typeName).\(field.name)"] != .append
    }
  }

  private var fresh: RecordText {
    unsafe RecordText(UnsafeBufferPointer(rebasing: scratch[record]))
  }

  private func index(of field: GraphQL.StorageField, in stored: JSONDocument) -> Int? {
    stored.member(field.storageKey, of: JSONDocument.rootIndex)
  }

  /// The replacement of a stored value; nil if that stays unchanged.
  private mutating func replacement(
    of stored: Int, in json: JSONDocument, by part: RecordPart
  ) throws(Graph.StoreError) -> ArraySlice<UInt8>? {
    let incoming = unsafe [UInt8](UnsafeBufferPointer(rebasing: scratch[part.start..<part.end]))
    if isSame(json, stored, incoming[...]) { return nil }
    let field = plan.fields[part.field]
    guard field.isComposite else { return incoming[...] }
    let rule = lists.isEmpty ? .replace : lists["\(plan.typeName).\(field.name)"] ?? .replace
    let merge = ValueMerge(stored: json, incoming: try document(incoming))
    let merged: [UInt8]
    switch (json.kind(at: stored), incoming.first) {
    case (.object, UInt8(ascii: "{")):
      merged = merge.object(stored, JSONDocument.rootIndex)
    case (.array, UInt8(ascii: "[")) where rule == .append:
      merged = merge.appendedList(stored, JSONDocument.rootIndex)
    case (.array, UInt8(ascii: "[")) where repeated.contains(part.field):
      merged =
        merge.agree(stored, JSONDocument.rootIndex)
        ? merge.union(stored, JSONDocument.rootIndex) : incoming
    default: merged = incoming
    }
    if rule == .replaceDeletingOld { dropped += merge.dropped(stored) }
    return isSame(json, stored, merged[...]) ? nil : merged[...]
  }

  private func isSame(_ json: JSONDocument, _ index: Int, _ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe json.withSource(at: index) { stored in
      unsafe bytes.withUnsafeBufferPointer { unsafe $0.hasSameBytes(as: stored) }
    }
  }

  private func compose(
    _ stored: JSONDocument, _ values: [(index: Int, bytes: ArraySlice<UInt8>)],
    _ added: [RecordPart]
  ) -> [UInt8] {
    var members = ObjectBuilder(capacity: stored.byteCount + 256)
    var key = stored.firstChild(of: JSONDocument.rootIndex)
    let end = stored.end(of: JSONDocument.rootIndex)
    while key < end {
      let value = stored.next(after: key)
      let new = values.first { $0.index == value }
      members.append(
        key: stored.source(at: key), value: new?.bytes ?? stored.source(at: value))
      key = stored.next(after: value)
    }
    for part in added {
      unsafe members.append(
        keyWithColon: plan.fields[part.field].member, value: scratch[part.start..<part.end])
    }
    return members.finish()
  }

  private func document(_ bytes: [UInt8]) throws(Graph.StoreError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw Graph.StoreError(.invalidJSON, "a record of \(plan.typeName): \(error)", cause: error)
    }
  }
}

/// Merges the new value of one field into the stored one.
struct ValueMerge {
  let stored: JSONDocument
  let incoming: JSONDocument

  /// An embedded object: its fields one by one, unless the objects have different types or either
  /// is a link. The parser's depth limits the recursion.
  func object(_ mine: Int, _ theirs: Int) -> [UInt8] {
    guard isMergeable(mine, theirs) else { return Array(incoming.source(at: theirs)) }
    return members(of: mine, theirs, value)
  }

  /// The stored list followed by the new elements of the other: existing links keep their position.
  func appendedList(_ mine: Int, _ theirs: Int) -> [UInt8] {
    var links: Set<GraphQL.EntityKey> = []
    var elements = ListBuilder()
    for (document, list) in [(stored, mine), (incoming, theirs)] {
      var element = document.firstChild(of: list)
      while element < document.end(of: list) {
        let link =
          document.kind(at: element) == .object
          ? GraphQL.StoredLink.key(at: element, in: document) : nil
        if link.map({ links.insert($0).inserted }) ?? true {
          elements.append(document.source(at: element))
        }
        element = document.next(after: element)
      }
    }
    return elements.finish()
  }

  /// The value of a field that arrived under two response names, each with a selection of its own: what either of them
  /// has, and the link, if only one of them selects the key. For the rest, the first one counts, also between lists
  /// whose elements contradict each other.
  func union(_ mine: Int, _ theirs: Int) -> [UInt8] {
    switch (stored.kind(at: mine), incoming.kind(at: theirs)) {
    case (.object, .object) where isMergeable(mine, theirs):
      members(of: mine, theirs, union)
    case (.object, .object) where GraphQL.StoredLink.key(at: mine, in: stored) == nil:
      Array(hasLink(theirs) ? incoming.source(at: theirs) : stored.source(at: mine))
    case (.array, .array) where agree(mine, theirs): listUnion(mine, theirs)
    default: Array(stored.source(at: mine))
    }
  }

  /// Whether the value of a field that a response contains twice, each time with a selection of its own, can be the
  /// same: lists have as many elements, and there is no other value in what both selections have.
  func agree(_ mine: Int, _ theirs: Int) -> Bool {
    switch (stored.kind(at: mine), incoming.kind(at: theirs)) {
    case (.object, .object):
      let links = (
        GraphQL.StoredLink.key(at: mine, in: stored),
        GraphQL.StoredLink.key(at: theirs, in: incoming)
      )
      return switch links {
      case (nil, nil): isMergeable(mine, theirs) && membersAgree(mine, theirs)
      case (let link?, let other?): link == other
      // Only one of the selections has the key.
      default: true
      }
    case (.array, .array):
      guard stored.count(at: mine) == incoming.count(at: theirs) else { return false }
      var element = stored.firstChild(of: mine)
      var other = incoming.firstChild(of: theirs)
      while element < stored.end(of: mine) {
        guard agree(element, other) else { return false }
        element = stored.next(after: element)
        other = incoming.next(after: other)
      }
      return true
    default: return stored.source(at: mine) == incoming.source(at: theirs)
    }
  }

  private func membersAgree(_ mine: Int, _ theirs: Int) -> Bool {
    var key = stored.firstChild(of: mine)
    while key < stored.end(of: mine) {
      let value = stored.next(after: key)
      if let other = incoming.member(stored.string(at: key), of: theirs), !agree(value, other) {
        return false
      }
      key = stored.next(after: value)
    }
    return true
  }

  private func hasLink(_ theirs: Int) -> Bool {
    GraphQL.StoredLink.key(at: theirs, in: incoming) != nil
  }

  private func listUnion(_ mine: Int, _ theirs: Int) -> [UInt8] {
    var elements = ListBuilder()
    var element = stored.firstChild(of: mine)
    var other = incoming.firstChild(of: theirs)
    while element < stored.end(of: mine) {
      elements.append(union(element, other)[...])
      element = stored.next(after: element)
      other = incoming.next(after: other)
    }
    return elements.finish()
  }

  /// The members of both objects. `combined` decides on those that both have.
  private func members(
    of mine: Int, _ theirs: Int, _ combined: (Int, Int) -> [UInt8]
  ) -> [UInt8] {
    var members = ObjectBuilder()
    var key = stored.firstChild(of: mine)
    while key < stored.end(of: mine) {
      let value = stored.next(after: key)
      let other = incoming.member(stored.string(at: key), of: theirs)
      members.append(
        key: stored.source(at: key),
        value: other.map { combined(value, $0)[...] } ?? stored.source(at: value))
      key = stored.next(after: value)
    }
    key = incoming.firstChild(of: theirs)
    while key < incoming.end(of: theirs) {
      let value = incoming.next(after: key)
      if stored.member(incoming.string(at: key), of: mine) == nil {
        members.append(key: incoming.source(at: key), value: incoming.source(at: value))
      }
      key = incoming.next(after: value)
    }
    return members.finish()
  }

  /// The links in the stored value that are not in the new one.
  func dropped(_ mine: Int) -> [GraphQL.EntityKey] {
    let kept = Set(links(in: incoming, at: JSONDocument.rootIndex))
    return links(in: stored, at: mine).filter { !kept.contains($0) }
  }

  /// The links of a link or a list of links, however nested.
  private func links(in json: JSONDocument, at index: Int) -> [GraphQL.EntityKey] {
    switch json.kind(at: index) {
    case .object: return GraphQL.StoredLink.key(at: index, in: json).map { [$0] } ?? []
    case .array:
      var links: [GraphQL.EntityKey] = []
      var element = json.firstChild(of: index)
      while element < json.end(of: index) {
        links += self.links(in: json, at: element)
        element = json.next(after: element)
      }
      return links
    default: return []
    }
  }

  private func value(_ mine: Int, _ theirs: Int) -> [UInt8] {
    stored.kind(at: mine) == .object && incoming.kind(at: theirs) == .object
      ? object(mine, theirs) : Array(incoming.source(at: theirs))
  }

  private func isMergeable(_ mine: Int, _ theirs: Int) -> Bool {
    guard GraphQL.StoredLink.key(at: mine, in: stored) == nil,
      GraphQL.StoredLink.key(at: theirs, in: incoming) == nil
    else { return false }
    guard let old = stored.member("__typename", of: mine),
      let new = incoming.member("__typename", of: theirs)
    else { return true }
    return stored.source(at: old) == incoming.source(at: new)
  }
}
