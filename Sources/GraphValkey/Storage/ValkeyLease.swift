import Foundation
import GraphClient
import GraphQLRuntime

/// The right to send the request for one response, which is extended until it ends. If the process ends, the server
/// ends it after its time.
final class ValkeyLease: Graph.ResponseLease {
  private let storage: Graph.ValkeyStorage
  private let shard: ValkeyShard
  private let key: Graph.CacheKey
  private let token: [UInt8]
  private struct State {
    var generations: Generations?
    var renewal: Task<Void, Never>?
  }
  private let state = Locked(State())

  init(_ storage: Graph.ValkeyStorage, _ key: Graph.CacheKey, _ token: [UInt8]) {
    self.storage = storage
    shard = storage.valkey.shards.shard(of: key)
    self.key = key
    self.token = token
  }

  deinit { state.withLock { $0.renewal }?.cancel() }

  /// - Parameter generations: those from before the request.
  func begin(_ generations: Generations?) {
    let (shard, name, token) = (shard, shard.keys.lease(key), token)
    let (firstTime, time) = (storage.firstLeaseTime, storage.options.leaseTime)
    let renewal = Task {
      // At once for the first time, since a new lease is short; and soon again while that fails and the lease may exist.
      var end = ValkeyClock.now + firstTime.nanoseconds
      var pause = time / 3
      repeat {
        let value = try? await shard.evaluate(
          StorageScripts.renew, keys: [name],
          [token, .init(text: String(time.positiveMilliseconds))])
        // Another process has it by now.
        if value == .integer(0) { return }
        let now = ValkeyClock.now
        if value != nil { end = now + time.nanoseconds }
        pause = value != nil || now > end ? time / 3 : min(firstTime / 4, time / 3)
      } while (try? await Task.sleep(for: pause)) != nil
    }
    state.withLock { state in
      state.generations = generations
      state.renewal = renewal
    }
  }

  func store(_ response: Graph.CachedResponse) async throws {
    let generations = finish()
    do {
      try await storage.store(response, for: key, expecting: generations, lease: token)
    } catch {
      // It cannot be stored: it is too large, or cannot be encrypted.
      await end(letsOthersAsk: true)
      throw error
    }
  }

  func end(letsOthersAsk: Bool) async {
    _ = finish()
    let (shard, key, token) = (shard, key, token)
    let time = letsOthersAsk ? Graph.ValkeyStorage.unstorableTime : 0
    // The task may be cancelled, and the lease must end even so.
    await Task {
      _ = try? await shard.evaluate(
        StorageScripts.release, keys: [shard.keys.lease(key)],
        [token, .init(text: shard.keys.channel(key)), .init(text: String(time))])
    }.value
  }

  private func finish() -> Generations? {
    let (generations, renewal) = state.withLock { ($0.generations, $0.renewal) }
    renewal?.cancel()
    return generations
  }
}
