import Foundation
import GraphClient
import GraphQLRuntime

extension Graph {
  /// Memory over a ``ValkeyStorage``: responses that were read are kept in this process until they expire or another
  /// process changes them.
  ///
  /// The server reports each change in the namespace to all processes with such a storage (client-side caching in
  /// broadcasting mode), so the memory is at most as old as these messages. If their connection is lost, the memory is
  /// emptied, and it is not used until there is a connection again. After a partition, in which a connection is lost
  /// without a sign, that takes about twice ``maximumSilence``.
  ///
  /// A storage of this kind must not be created twice for one ``Valkey``.
  public final class CoherentStorage: Sendable {
    /// How long the connection for changes may receive nothing before the server is asked for a sign of life, and how
    /// long that may take: one second each.
    public static let maximumSilence = Duration.seconds(1)

    private struct State {
      var memory: CoherentMemory
      /// The prefixes of the shards that report changes.
      var tracked: Set<String> = []
    }

    let valkeyStorage: ValkeyStorage
    private let state: Locked<State>
    private let check = Locked<Task<Void, Never>?>(nil)

    /// - Parameter capacity: the maximum number of bytes of JSON in memory.
    public init(_ storage: ValkeyStorage, capacity: Int = 16 << 20) {
      valkeyStorage = storage
      state = Locked(State(memory: CoherentMemory(capacity: capacity)))
      let shards = storage.valkey.shards.all
      for shard in shards {
        let prefix = shard.keys.prefix
        shard.subscriptions.track { [weak self] in self?.apply($0, prefix) }
      }
      // Ends with the storage.
      let task = Task {
        while (try? await Task.sleep(for: Self.maximumSilence)) != nil {
          for shard in shards { shard.checkSubscriptions(every: Self.maximumSilence) }
        }
      }
      check.withLock { $0 = task }
    }

    deinit { check.withLock { $0 }?.cancel() }

    /// Whether responses in memory are used: the server reports changes.
    public var isCoherent: Bool {
      state.withLock { $0.tracked.count == valkeyStorage.valkey.shards.all.count }
    }

    private func apply(_ change: ValkeySubscriptions.Change, _ prefix: String) {
      state.withLock { state in
        switch change {
        case .begins, .lost, .all: state.memory.removeAll(withPrefix: prefix)
        case .keys(let names): for name in names { state.memory.change(name) }
        }
        switch change {
        case .begins: state.tracked.insert(prefix)
        case .lost: state.tracked.remove(prefix)
        case .all, .keys: break
        }
      }
    }
  }
}

extension Graph.CoherentStorage: Graph.LeasingStorage {
  public func response(for key: Graph.CacheKey) async throws -> Graph.CachedResponse? {
    let now = ValkeyClock.now
    let prefix = valkeyStorage.valkey.shards.shard(of: key).keys.prefix
    let remembered = state.withLock { state in
      state.tracked.contains(prefix) ? state.memory.response(for: key, at: now) : nil
    }
    if let remembered { return remembered }
    let read = state.withLock { $0.memory.beginRead() }
    var found: Graph.ValkeyStorage.Found?
    defer {
      let later = ValkeyClock.now
      state.withLock { state in
        state.memory.endRead(
          read, state.tracked.contains(prefix) ? found : nil, for: key, at: later)
      }
    }
    found = try await valkeyStorage.lookUp(key)
    return found?.response
  }

  /// Stores the response on the server. The memory keeps it when it is read.
  public func store(_ response: Graph.CachedResponse, for key: Graph.CacheKey) async throws {
    forget(key)
    try await valkeyStorage.store(response, for: key)
  }

  public func remove(_ key: Graph.CacheKey) async throws {
    forget(key)
    try await valkeyStorage.remove(key)
    // It may have been read in the meantime, and the message about the change may arrive later.
    forget(key)
  }

  private func forget(_ key: Graph.CacheKey) {
    let name = valkeyStorage.valkey.shards.shard(of: key).keys.response(key)
    state.withLock { $0.memory.change(name) }
  }

  /// Removes all responses of the namespace, in all processes.
  public func removeAll() async throws {
    state.withLock { $0.memory.removeAll() }
    try await valkeyStorage.removeAll()
    state.withLock { $0.memory.removeAll() }
  }

  public func lease(
    for key: Graph.CacheKey, within limit: Duration?,
    unless isUsable: @escaping @Sendable (Graph.CachedResponse) -> Bool
  ) async throws -> Graph.LeaseOutcome {
    try await valkeyStorage.lease(for: key, within: limit, unless: isUsable)
  }
}

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
