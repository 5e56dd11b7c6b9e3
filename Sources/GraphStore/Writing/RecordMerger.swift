import GraphJSON
import GraphQLRuntime

/// Puts the fields that came into the record that is stored.
struct RecordMerger {
  /// nil for an embedded object, which says its type only if it was selected.
  let typeName: String?
  let parts: ArraySlice<Normalizer.Part>
  let scratch: [UInt8]
  let lists: [String: JSONMapping.ListRule]
  /// What the values that were replaced by `replaceDeletingOld` referred to, and the new ones do not.
  private(set) var dropped: [GraphQL.EntityKey] = []

  init(
    typeName: String?, parts: ArraySlice<Normalizer.Part>, scratch: [UInt8],
    lists: [String: JSONMapping.ListRule]
  ) {
    self.typeName = typeName
    self.parts = parts
    self.scratch = scratch
    self.lists = lists
  }

  /// The merged record; nil when it would be the same as `stored`.
  mutating func merged(into stored: JSONDocument?) throws(StoreError) -> JSONDocument? {
    guard let stored else { return try document(fresh()) }
    var values: [(place: Int, bytes: ArraySlice<UInt8>)] = []
    var added: [Normalizer.Part] = []
    for part in parts where !isTypename(part) {
      guard let found = place(of: part, in: stored) else {
        added.append(part)
        continue
      }
      if let value = try replacement(of: found, in: stored, by: part) {
        values.append((found, value))
      }
    }
    if values.isEmpty, added.isEmpty { return nil }
    return try document(compose(stored, values, added))
  }

  private func place(of part: Normalizer.Part, in stored: JSONDocument) -> Int? {
    part.field.storageKey.withUnsafeBufferPointer {
      stored.member($0, of: JSONDocument.rootIndex)
    }
  }

  /// An embedded object with nothing to merge it into.
  func embedded() -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    append(parts, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private func fresh() -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    appendTypename(to: &bytes)
    append(parts, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// What takes the place of a stored value; nil when that stays as it is.
  private mutating func replacement(
    of stored: Int, in json: JSONDocument, by part: Normalizer.Part
  ) throws(StoreError) -> ArraySlice<UInt8>? {
    let incoming = scratch[part.start..<part.end]
    if isSame(json, stored, incoming) { return nil }
    guard part.field.isComposite else { return incoming }
    let rule = lists.isEmpty ? .replace : lists["\(typeName ?? "").\(part.field.name)"] ?? .replace
    let merge = ValueMerge(stored: json, incoming: try document(Array(incoming)))
    let merged: [UInt8]
    switch (json.kind(at: stored), incoming.first) {
    case (.object, UInt8(ascii: "{")):
      merged = merge.object(stored, JSONDocument.rootIndex)
    case (.array, UInt8(ascii: "[")) where rule == .append:
      merged = merge.appendedList(stored, JSONDocument.rootIndex)
    default: merged = Array(incoming)
    }
    if rule == .replaceDeletingOld { dropped += merge.dropped(stored) }
    return isSame(json, stored, merged[...]) ? nil : merged[...]
  }

  private func isSame(_ json: JSONDocument, _ index: Int, _ bytes: ArraySlice<UInt8>) -> Bool {
    json.withSource(at: index) { stored in
      bytes.withUnsafeBufferPointer { $0.hasSameBytes(as: stored) }
    }
  }

  private func compose(
    _ stored: JSONDocument, _ values: [(place: Int, bytes: ArraySlice<UInt8>)],
    _ added: [Normalizer.Part]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stored.byteCount + 256)
    bytes.append(UInt8(ascii: "{"))
    var key = stored.firstChild(of: JSONDocument.rootIndex)
    let end = stored.end(of: JSONDocument.rootIndex)
    while key < end {
      let value = stored.next(after: key)
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: stored.source(at: key))
      bytes.append(UInt8(ascii: ":"))
      let new = values.first { $0.place == value }
      bytes.append(contentsOf: new?.bytes ?? stored.source(at: value))
      key = stored.next(after: value)
    }
    append(added[...], to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private func append(_ parts: ArraySlice<Normalizer.Part>, to bytes: inout [UInt8]) {
    for part in parts where typeName == nil || !isTypename(part) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: part.field.member)
      bytes.append(contentsOf: scratch[part.start..<part.end])
    }
  }

  private func appendTypename(to bytes: inout [UInt8]) {
    guard let typeName else { return }
    bytes.append(contentsOf: "\"__typename\":\"\(typeName)\"".utf8)
  }

  private func isTypename(_ part: Normalizer.Part) -> Bool { part.field.isTypename }

  private func document(_ bytes: [UInt8]) throws(StoreError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw StoreError(.invalidJSON, "a record of \(typeName ?? "an object"): \(error)")
    }
  }
}
