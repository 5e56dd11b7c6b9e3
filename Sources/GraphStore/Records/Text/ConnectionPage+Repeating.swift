import GraphJSON
import GraphQLRuntime

extension ConnectionPage {
  /// Whether the page has the start of another one.
  func repeatsStart(of other: ConnectionPage) -> Bool { Self.repeats(entries, other.entries) }

  /// Whether the page has the end of another one.
  func repeatsEnd(of other: ConnectionPage) -> Bool {
    Self.repeats(entries.reversed(), other.entries.reversed())
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
