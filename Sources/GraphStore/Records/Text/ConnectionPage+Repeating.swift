import GraphJSON
import GraphQLRuntime

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
