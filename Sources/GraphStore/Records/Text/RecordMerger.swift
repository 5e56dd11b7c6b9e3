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
