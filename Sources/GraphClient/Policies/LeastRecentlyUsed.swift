/// Entries with sizes in the order of their last use; the oldest are removed when the total exceeds
/// a limit.
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    var size: Int
    var older: Key?
    var newer: Key?
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var oldest: Key?
  private var newest: Key?
  private(set) var totalSize = 0

  package init(capacity: Int) { self.capacity = capacity }

  /// The value of `key`, which becomes the newest.
  package mutating func use(_ key: Key) -> Value? {
    guard let entry = entries[key] else { return nil }
    unlink(key, entry)
    link(key, entry.value, size: entry.size)
    return entry.value
  }

  /// Adds an entry as the newest.
  ///
  /// - Returns: the removed entries; the new one itself if it alone exceeds the limit.
  package mutating func insert(_ value: Value, for key: Key, size: Int) -> [(
    key: Key, value: Value
  )] {
    remove(key)
    guard size <= capacity else { return [(key, value)] }
    link(key, value, size: size)
    var evicted: [(Key, Value)] = []
    while totalSize > capacity, let key = oldest, let entry = entries[key] {
      evicted.append((key, entry.value))
      unlink(key, entry)
    }
    return evicted
  }

  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    guard let entry = entries[key] else { return nil }
    unlink(key, entry)
    return entry.value
  }

  package mutating func removeAll() { self = LeastRecentlyUsed(capacity: capacity) }

  private mutating func link(_ key: Key, _ value: Value, size: Int) {
    if let newest { entries[newest]?.newer = key }
    entries[key] = Entry(value: value, size: size, older: newest, newer: nil)
    newest = key
    if oldest == nil { oldest = key }
    totalSize += size
  }

  private mutating func unlink(_ key: Key, _ entry: Entry) {
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    entries[key] = nil
    totalSize -= entry.size
  }
}
