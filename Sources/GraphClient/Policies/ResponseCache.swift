import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Finds cached responses that can still be read, and caches those that may be cached.
  final class ResponseCache: Sendable {
    private let storage: any ResponseStorage
    private let time: any TimeSource
    /// Counts purges: the response to a request from before a purge must not be stored after it.
    private let generation = Locked(0)

    init(storage: any ResponseStorage, time: any TimeSource) {
      self.storage = storage
      self.time = time
    }

    /// The number of purges so far; read when a request starts.
    var currentGeneration: Int { generation.withLock { $0 } }

    /// The result of looking for a cached response.
    enum Lookup {
      case found(CheckedResponse, age: Duration?)
      case missing(ObservedCacheRead)
    }

    /// A cached response. One that can no longer be read is removed.
    ///
    /// - Parameter maximumAge: the age from which on a response does not count; nil for no limit.
    func response(
      for key: CacheKey, maximumAge: Duration?, reader: OperationReader
    ) async -> Lookup {
      let stored: CachedResponse?
      do { stored = try await storage.response(for: key) } catch { return .missing(.failed) }
      guard let stored else { return .missing(.notStored) }
      let age = stored.storedAt.age(at: time.now)
      if let maximumAge {
        guard let age, age < maximumAge else { return .missing(.tooOld) }
      }
      guard let content = try? reader.read(stored.bytes) else {
        try? await storage.remove(key)
        return .missing(.unreadable)
      }
      return .found(content, age: age)
    }

    /// The end of the wait for a lease.
    enum LeaseOutcome {
      case stored(CheckedResponse, age: Duration?)
      case granted(any ResponseLease)
      case none

      var observed: ObservedLease {
        switch self {
        case .stored: .stored
        case .granted: .granted
        case .none: .unavailable
        }
      }
    }

    /// Whether processes that share the storage wait for each other's responses.
    var leases: Bool { storage is any LeasingStorage }

    /// Waits until another process has stored a response, or until this one may send the request.
    ///
    /// - Parameter limit: the maximum time to wait; nil for the storage's own.
    func lease(
      for key: CacheKey, _ terms: LeaseTerms, within limit: Duration?, reader: OperationReader
    ) async -> LeaseOutcome {
      guard let storage = storage as? any LeasingStorage else { return .none }
      let time = time
      let outcome = try? await storage.lease(for: key, within: limit) { stored in
        guard let maximumAge = terms.maximumAge else { return true }
        return stored.storedAt.age(at: time.now).map { $0 < maximumAge } ?? false
      }
      switch outcome {
      case .granted(let lease): return .granted(lease)
      case .unavailable, nil: return .none
      case .stored(let stored):
        guard let content = try? reader.read(stored.bytes) else {
          try? await storage.remove(key)
          return .none
        }
        return .stored(content, age: stored.storedAt.age(at: time.now))
      }
    }

    /// Caches the response unless it has errors or no data, contains a sensitive type, or a purge
    /// has happened since.
    ///
    /// - Parameter lease: the lease under which it was requested, which ends.
    /// - Returns: what became of it.
    @discardableResult
    func store(
      _ response: OperationResponse, for key: CacheKey, generation: Int,
      lease: (any ResponseLease)? = nil
    ) async -> ObservedStoring {
      guard generation == currentGeneration, response.errors.isEmpty, response.data != nil,
        !response.content.isSensitive()
      else {
        await lease?.end(letsOthersAsk: true)
        return .notCacheable
      }
      let stored = CachedResponse(bytes: response.bytes, storedAt: time.now)
      var result = ObservedStoring.cached
      do {
        if let lease {
          try await lease.store(stored)
        } else {
          try await storage.store(stored, for: key)
        }
      } catch {
        result = .failed(error)
      }
      // A purge that began after the check may have run before this write.
      if generation != currentGeneration {
        try? await storage.remove(key)
        return .notCacheable
      }
      return result
    }

    func purge() async throws {
      generation.withLock { $0 += 1 }
      try await storage.removeAll()
    }
  }
}

extension Graph {
  /// Which stored responses of other processes a query accepts in place of a request.
  struct LeaseTerms: Hashable, Sendable {
    /// A response of this age or older is not accepted; nil for no limit.
    let maximumAge: Duration?
  }
}

extension Graph.CacheKey {
  /// The key of an operation's response. Every field that may contain a credential is part of the
  /// identity: a user that the server identifies by a field unknown to this client must not get
  /// another user's response.
  init(_ request: Graph.OperationRequest, endpoint: URL) {
    let scopeDigest = Self.scope(endpoint: endpoint, headers: request.headers)
    var name = SHA256()
    name.updateField(Array(scopeDigest.utf8))
    name.updateField(Array(request.document.utf8))
    name.updateField(Array((request.name ?? "").utf8))
    name.updateField(request.variables)
    name.updateField(Array((request.headers["Accept-Language"] ?? "").utf8))
    let extensions = request.extensions.filter { !Self.passingExtensions.contains($0.key) }
    if !extensions.isEmpty {
      name.updateField(Array(JSON.object(JSON.Object(extensions)).description.utf8))
    }
    self.init(scope: scopeDigest, name: name.finish().hexadecimal)
  }

  /// The scope of the responses that a client at `endpoint` gets with these header fields. Fields that do not identify
  /// a user, such as `Accept` or `traceparent`, do not change it.
  ///
  /// - Parameter headers: all fields of the requests, including those that interceptors add.
  public static func scope(endpoint: URL, headers: Graph.Headers) -> String {
    var scope = SHA256()
    scope.updateField(Array(endpoint.absoluteString.utf8))
    for field in Graph.Identity(of: headers).fields {
      scope.updateField(Array(field.text.utf8))
    }
    return scope.finish().hexadecimal
  }

  /// Extensions that do not change the response.
  private static let passingExtensions: Set<String> = ["clientLibrary", "persistedQuery"]
}

extension Graph {
  /// The header fields that may identify a request's user, compared by their bytes.
  package struct Identity: Hashable, Sendable {
    /// Each as `name:value`.
    let fields: [ExactKey]

    /// Fields that change between requests and do not identify the user.
    private static let passing: Set<String> = [
      "traceparent", "tracestate", "x-request-id", "x-correlation-id",
    ]

    package init(of headers: Headers) {
      fields = headers.fields
        .map { (name: $0.name.lowercased(), value: $0.value) }
        .filter { !Headers.nonsensitive.contains($0.name) && !Self.passing.contains($0.name) }
        .map { ExactKey("\($0.name):\($0.value)") }
        .sorted()
    }
  }
}

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

extension Graph {
  /// Responses on disk, limited by bytes; the least recently used are deleted first, across
  /// launches.
  ///
  /// One directory per endpoint and identity, readable by the user only (0700, files 0600). Files
  /// are written under another name and renamed, and contain a checksum: a truncated or changed
  /// file is removed and counts as a miss.
  public final class DiskStorage: ResponseStorage {
    let directory: URL
    private let capacity: Int
    /// File access blocks, so it runs on its own thread.
    private let queue = DispatchQueue(label: "GraphClient.DiskStorage")
    /// Sizes of the files; nil until the directory has been read. Only used on `queue`.
    private let index = Locked<LeastRecentlyUsed<CacheKey, Int>?>(nil)

    /// - Parameters:
    ///   - directory: the storage's own; `removeAll` removes it. It is created when first needed.
    ///   - capacity: the maximum number of bytes of files to keep.
    public init(directory: URL, capacity: Int = 64 << 20) {
      self.directory = directory
      self.capacity = capacity
    }

    /// The response under `key`; a damaged file is removed and counts as missing.
    public func response(for key: CacheKey) async throws -> CachedResponse? {
      try await perform { storage in
        let url = storage.url(of: key)
        guard let data = try? Data(contentsOf: url) else { return nil }
        guard let response = CacheFile.decode([UInt8](data), key: key) else {
          storage.removeFile(key)
          return nil
        }
        storage.withIndex { _ = $0.use(key) }
        // Only the order of use is lost if this fails.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: url.path)
        return response
      }
    }

    /// Writes the response, and deletes the least recently used ones if necessary.
    public func store(_ response: CachedResponse, for key: CacheKey) async throws {
      try await perform { storage in
        let bytes = CacheFile.encode(response, key: key)
        let evicted = storage.withIndex { $0.insert(bytes.count, for: key, size: bytes.count) }
        for (key, _) in evicted { storage.removeFile(key) }
        guard !evicted.contains(where: { $0.key == key }) else { return }
        do {
          try PrivateFile.write(bytes, to: storage.url(of: key), in: storage.directory)
        } catch {
          storage.removeFile(key)
          throw error
        }
      }
    }

    /// Removes the file of `key`.
    public func remove(_ key: CacheKey) async throws {
      try await perform { $0.removeFile(key) }
    }

    public func removeAll() async throws {
      try await perform { storage in
        storage.index.withLock { $0 = nil }
        guard FileManager.default.fileExists(atPath: storage.directory.path) else { return }
        try FileManager.default.removeItem(at: storage.directory)
      }
    }

    private func perform<T: Sendable>(
      _ work: @escaping @Sendable (DiskStorage) throws -> T
    ) async throws -> T {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try work(self) }) }
      }
    }

    private func url(of key: CacheKey) -> URL {
      directory.appendingPathComponent(key.scope).appendingPathComponent(key.name)
    }

    private func removeFile(_ key: CacheKey) {
      withIndex { _ = $0.remove(key) }
      try? FileManager.default.removeItem(at: url(of: key))
    }

    private func withIndex<T: Sendable>(
      _ body: (inout LeastRecentlyUsed<CacheKey, Int>) -> T
    ) -> T {
      index.withLock { index in
        var known = index ?? readDirectory()
        defer { index = known }
        return body(&known)
      }
    }

    /// The existing files, the least recently used first.
    private func readDirectory() -> LeastRecentlyUsed<CacheKey, Int> {
      var index = LeastRecentlyUsed<CacheKey, Int>(capacity: capacity)
      let manager = FileManager.default
      var files: [(key: CacheKey, size: Int, used: Date)] = []
      for scope in (try? manager.contentsOfDirectory(atPath: directory.path)) ?? [] {
        let folder = directory.appendingPathComponent(scope)
        for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] {
          let path = folder.appendingPathComponent(name).path
          guard let attributes = try? manager.attributesOfItem(atPath: path) else { continue }
          files.append(
            (
              CacheKey(scope: scope, name: name), (attributes[.size] as? Int) ?? 0,
              (attributes[.modificationDate] as? Date) ?? .distantPast
            ))
        }
      }
      // A time in the future was written before the clock was set back; such a file would stay too
      // long.
      let now = Date()
      for index in files.indices where files[index].used > now { files[index].used = .distantPast }
      for file in files.sorted(by: { $0.used < $1.used }) {
        for (key, _) in index.insert(file.size, for: file.key, size: file.size) {
          try? manager.removeItem(at: url(of: key))
        }
      }
      return index
    }
  }
}

/// The form of a stored response: a marker, the SHA-256 of the rest, a line of JSON with the time
/// and the key, and the response.
enum CacheFile {
  private static let mark = Array("GRC1".utf8)

  static func encode(_ response: Graph.CachedResponse, key: Graph.CacheKey) -> [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "key": .string(key.name), "boot": .string(response.storedAt.boot),
      "wall": JSON(response.storedAt.wall.milliseconds),
      "uptime": JSON(response.storedAt.uptime.milliseconds),
    ])
    let content = writer.finish() + [UInt8(ascii: "\n")] + response.bytes
    return mark + SHA256.digest(content) + content
  }

  /// - Returns: nil if the file was changed, or was not written under `key`.
  static func decode(_ bytes: [UInt8], key: Graph.CacheKey) -> Graph.CachedResponse? {
    let start = mark.count + 32
    guard bytes.count > start, bytes.starts(with: mark) else { return nil }
    let content = bytes[start...]
    guard SHA256.digest(content).elementsEqual(bytes[mark.count..<start]),
      let lineEnd = content.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(content[..<lineEnd])).root,
      head["key"]?.string == key.name, let boot = head["boot"]?.string,
      let wall = head["wall"]?.int, let uptime = head["uptime"]?.int
    else { return nil }
    return Graph.CachedResponse(
      bytes: Array(content[(lineEnd + 1)...]),
      storedAt: Graph.Timestamp(
        wall: .milliseconds(wall), uptime: .milliseconds(uptime), boot: boot))
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

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
