import Foundation
import GraphClient
import GraphQLRuntime

/// The right to send the request for one response, which is extended until it ends. If the process ends, the server
/// ends it after its time.
final class ValkeyLease: Graph.ResponseLease {
  private let storage: Graph.ValkeyStorage
  private let key: Graph.CacheKey
  private let token: [UInt8]
  private struct State {
    var generations: Generations?
    var renewal: Task<Void, Never>?
  }
  private let state = Locked(State())

  init(_ storage: Graph.ValkeyStorage, _ key: Graph.CacheKey, _ token: [UInt8]) {
    self.storage = storage
    self.key = key
    self.token = token
  }

  deinit { state.withLock { $0.renewal }?.cancel() }

  /// - Parameter generations: those from before the request.
  func begin(_ generations: Generations?) {
    let (storage, key, token) = (storage, key, token)
    let interval = storage.options.leaseTime / 3
    let renewal = Task {
      // At once for the first time, since a new lease is short.
      repeat {
        let value = try? await storage.valkey.evaluate(
          StorageScripts.renew, keys: [storage.keys.lease(key)],
          [token, .init(text: String(storage.options.leaseTime.positiveMilliseconds))])
        // Another process has it by now.
        if value == .integer(0) { return }
      } while (try? await Task.sleep(for: interval)) != nil
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
    let (storage, key, token) = (storage, key, token)
    let time = letsOthersAsk ? Graph.ValkeyStorage.unstorableTime : 0
    // The task may be cancelled, and the lease must end even so.
    await Task {
      _ = try? await storage.valkey.evaluate(
        StorageScripts.release, keys: [storage.keys.lease(key)],
        [token, .init(text: storage.keys.channel(key)), .init(text: String(time))])
    }.value
  }

  private func finish() -> Generations? {
    let (generations, renewal) = state.withLock { ($0.generations, $0.renewal) }
    renewal?.cancel()
    return generations
  }
}
