import Foundation
import GraphQLRuntime

extension Graph {
  /// Stores responses. A fleet of servers can use a shared cache.
  ///
  /// Responses are stored as JSON. A storage outside the process must prevent others from reading
  /// it. If a storage throws an error, it counts as a miss.
  public protocol ResponseStorage: Sendable {
    /// The response under `key`, nil if there is none.
    func response(for key: CacheKey) async throws -> CachedResponse?
    /// Stores the response, replacing the one under `key`.
    func store(_ response: CachedResponse, for key: CacheKey) async throws
    /// Deletes the response under `key`, if there is one.
    func remove(_ key: CacheKey) async throws
    /// Deletes everything, also on disk.
    func removeAll() async throws
  }

  /// Identifies a stored response. Both parts are digests of hexadecimal digits.
  public struct CacheKey: Sendable, Hashable {
    /// The endpoint and the user's identity.
    public let scope: String
    /// Document, variables, endpoint, identity and locale.
    public let name: String

    /// A key of two digests.
    public init(scope: String, name: String) {
      self.scope = scope
      self.name = name
    }
  }

  /// A response's JSON and the time when it arrived.
  public struct CachedResponse: Sendable, Hashable {
    /// The response's JSON.
    public let bytes: [UInt8]
    /// The time when it arrived.
    public let storedAt: Timestamp

    /// A response that arrived at a point in time.
    public init(bytes: [UInt8], storedAt: Timestamp) {
      self.bytes = bytes
      self.storedAt = storedAt
    }
  }
}

extension Graph {
  /// A storage that several processes share, and that lets one of them at a time send a request for a response that
  /// is not stored. The others wait for its response.
  ///
  /// A client asks for a lease if ``CachePolicy/cacheFirst`` has found no response. If the storage throws an error, the
  /// client sends the request without a lease: no failure of the storage is one of the query.
  public protocol LeasingStorage: ResponseStorage {
    /// Waits until a usable response is stored under `key`, or until this process may send the request for it.
    ///
    /// - Parameters:
    ///   - limit: the maximum time to wait; nil for the storage's own. The storage may wait for a shorter time.
    ///   - isUsable: whether a stored response can be used. One that cannot counts as missing.
    func lease(
      for key: CacheKey, within limit: Duration?,
      unless isUsable: @escaping @Sendable (CachedResponse) -> Bool
    ) async throws -> LeaseOutcome
  }

  /// The end of the wait for a lease.
  public enum LeaseOutcome: Sendable {
    /// A usable response is stored.
    case stored(CachedResponse)
    /// This process sends the request. It must end the lease.
    case granted(any ResponseLease)
    /// There is no lease: the limit has passed, the responses to this query cannot be stored, or the storage cannot
    /// be reached. The client sends the request.
    case unavailable
  }

  /// The right to send the request for one response. While it exists, the storage extends it.
  public protocol ResponseLease: Sendable {
    /// Stores the response, and ends the lease. The processes that wait for it get the response.
    func store(_ response: CachedResponse) async throws
    /// Ends the lease without a response.
    ///
    /// - Parameter letsOthersAsk: whether all waiting processes send their own requests, since the response cannot be
    ///   stored. Otherwise, the request has failed, and one of them gets the lease.
    func end(letsOthersAsk: Bool) async
  }
}

extension Graph {
  /// A fast storage in front of a durable one: responses that are read from the second are kept in
  /// the first.
  public struct LayeredStorage: ResponseStorage {
    private let upper: any ResponseStorage
    private let lower: any ResponseStorage

    /// A storage that reads from the first before the second.
    public init(_ upper: any ResponseStorage, over lower: any ResponseStorage) {
      self.upper = upper
      self.lower = lower
    }

    /// The response in the first storage, or else in the second; the first then keeps it.
    public func response(for key: CacheKey) async throws -> CachedResponse? {
      if let response = try await upper.response(for: key) { return response }
      guard let response = try await lower.response(for: key) else { return nil }
      try await upper.store(response, for: key)
      return response
    }

    /// Keeps the response in both.
    public func store(_ response: CachedResponse, for key: CacheKey) async throws {
      try await upper.store(response, for: key)
      try await lower.store(response, for: key)
    }

    /// Deletes the response from both.
    public func remove(_ key: CacheKey) async throws {
      try await upper.remove(key)
      try await lower.remove(key)
    }

    public func removeAll() async throws {
      try await upper.removeAll()
      try await lower.removeAll()
    }
  }
}

extension Graph.ResponseStorage where Self == Graph.LayeredStorage {
  /// The default storage, which clients share: 16 MiB of memory and 64 MiB in the user's caches
  /// directory. Nothing is created before the first response is stored.
  public static var standard: Graph.LayeredStorage { standardStorage }
}

private let standardStorage = Graph.LayeredStorage(
  Graph.MemoryStorage(), over: Graph.DiskStorage(directory: Graph.LayeredStorage.directory()))

extension Graph.LayeredStorage {
  /// The folder of the standard storage. Apps on a Mac without a sandbox share the caches directory, so
  /// each app has its own folder in it.
  static func directory(
    in caches: URL? = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first,
    of app: String? = Bundle.main.bundleIdentifier
  ) -> URL {
    var folder = caches ?? FileManager.default.temporaryDirectory
    if let app { folder.appendPathComponent(app) }
    return folder.appendingPathComponent("GraphClient.responses")
  }
}

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
