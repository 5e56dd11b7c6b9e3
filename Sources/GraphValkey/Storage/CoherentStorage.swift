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
