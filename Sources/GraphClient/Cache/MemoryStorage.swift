import GraphQLRuntime

extension Graph {
  /// Responses in memory, bounded by bytes; the least recently used go first.
  public final class MemoryStorage: ResponseStorage {
    private let entries: Locked<LeastRecentlyUsed<CacheKey, CachedResponse>>

    /// - Parameter capacity: the most bytes of JSON to keep.
    public init(capacity: Int = 16 << 20) {
      entries = Locked(LeastRecentlyUsed(capacity: capacity))
    }

    /// The response under `key`, which becomes the newest.
    public func response(for key: CacheKey) -> CachedResponse? {
      entries.withLock { $0.use(key) }
    }

    /// Keeps the response, at the cost of those that were not used for longest.
    public func store(_ response: CachedResponse, for key: CacheKey) {
      // An entry costs its key and bookkeeping as well.
      entries.withLock { _ = $0.insert(response, for: key, size: response.bytes.count + 512) }
    }

    /// Forgets the response under `key`.
    public func remove(_ key: CacheKey) {
      entries.withLock { _ = $0.remove(key) }
    }

    public func removeAll() {
      entries.withLock { $0.removeAll() }
    }
  }
}
