import GraphQLRuntime

extension Graph {
  /// Responses in memory, limited by bytes; the least recently used are removed first.
  public final class MemoryStorage: ResponseStorage {
    private let entries: Locked<LeastRecentlyUsed<CacheKey, CachedResponse>>

    /// - Parameter capacity: the maximum number of bytes of JSON to keep.
    public init(capacity: Int = 16 << 20) {
      entries = Locked(LeastRecentlyUsed(capacity: capacity))
    }

    /// The response under `key`, which becomes the newest.
    public func response(for key: CacheKey) -> CachedResponse? {
      entries.withLock { $0.use(key) }
    }

    /// Keeps the response, and removes the least recently used ones if necessary.
    public func store(_ response: CachedResponse, for key: CacheKey) {
      // The size of an entry includes its key and bookkeeping.
      entries.withLock { _ = $0.insert(response, for: key, size: response.bytes.count + 512) }
    }

    /// Deletes the response under `key`.
    public func remove(_ key: CacheKey) {
      entries.withLock { _ = $0.remove(key) }
    }

    public func removeAll() {
      entries.withLock { $0.removeAll() }
    }
  }
}
