import GraphClient

/// Responses in memory with the keys of the server on which they depend, and the reads of the server in progress.
///
/// A change that arrives during a read may be newer than what was read, whichever key was changed. So what a read finds is
/// kept only if no change has arrived that concerns it since the read began.
struct CoherentMemory: Sendable {
  private struct Entry: Sendable {
    let found: Graph.ValkeyStorage.Found
    /// By the clock of ``ValkeyClock``.
    let end: Int64
  }

  private var entries: LeastRecentlyUsed<Graph.CacheKey, Entry>
  private let capacity: Int
  /// The keys of entries by the names on which they depend.
  private var dependents: [String: Set<Graph.CacheKey>] = [:]
  /// The names that were changed since the beginning of each read; nil if everything was.
  private var reads: [Int: Set<String>?] = [:]
  private var lastRead = 0

  init(capacity: Int) {
    self.capacity = capacity
    entries = LeastRecentlyUsed(capacity: capacity)
  }

  /// The response, unless it has expired.
  mutating func response(for key: Graph.CacheKey, at now: Int64) -> Graph.CachedResponse? {
    guard let entry = entries.use(key) else { return nil }
    guard entry.end > now else {
      remove(key)
      return nil
    }
    return entry.found.response
  }

  mutating func beginRead() -> Int {
    lastRead += 1
    reads[lastRead] = .some([])
    return lastRead
  }

  /// Keeps what was found, unless it may have changed.
  mutating func endRead(
    _ read: Int, _ found: Graph.ValkeyStorage.Found?, for key: Graph.CacheKey, at now: Int64
  ) {
    guard let changed = reads.removeValue(forKey: read), let changed, let found,
      changed.isDisjoint(with: found.dependencies)
    else { return }
    remove(key)
    for name in found.dependencies { dependents[name, default: []].insert(key) }
    let entry = Entry(found: found, end: now + found.remaining.nanoseconds)
    // The size of an entry includes its keys and bookkeeping.
    let size = found.response.bytes.count + 1024
    for (key, entry) in entries.insert(entry, for: key, size: size) { forget(key, entry) }
  }

  /// Removes what depends on a key of the server.
  mutating func change(_ name: String) {
    for key in dependents[name] ?? [] { remove(key) }
    for read in reads.keys { reads[read]??.insert(name) }
  }

  /// Removes what depends on keys of the server with that prefix, and what may do so.
  mutating func removeAll(withPrefix prefix: String) {
    for (name, keys) in dependents where name.hasPrefix(prefix) {
      for key in keys { remove(key) }
    }
    for read in reads.keys { reads[read] = .some(nil) }
  }

  mutating func removeAll() {
    entries = LeastRecentlyUsed(capacity: capacity)
    dependents = [:]
    for read in reads.keys { reads[read] = .some(nil) }
  }

  private mutating func remove(_ key: Graph.CacheKey) {
    if let entry = entries.remove(key) { forget(key, entry) }
  }

  private mutating func forget(_ key: Graph.CacheKey, _ entry: Entry) {
    for name in entry.found.dependencies {
      dependents[name]?.remove(key)
      if dependents[name]?.isEmpty == true { dependents[name] = nil }
    }
  }
}
