import Foundation
import GraphClient
import GraphQLRuntime

extension Graph.ValkeyStorage: Graph.LeasingStorage {
  /// The value of a lease that no process gets, since responses to its query cannot be stored.
  static let unstorable = Array("-".utf8)
  /// For how long no process gets a lease after such a response, in milliseconds.
  static let unstorableTime = 1000

  /// The longest wait for a message that a lease has ended. Messages can get lost with the connection.
  private static let longestSleep = Duration.milliseconds(500)
  /// The wait while there is no connection for messages.
  private static let pollInterval = Duration.milliseconds(50)

  /// Takes one round trip if a response is stored or the lease is free, and two if the scope has no generation yet.
  /// Otherwise, the task waits for the message that the lease has ended, or until the lease expires.
  public func lease(
    for key: Graph.CacheKey, within limit: Duration?,
    unless isUsable: @escaping @Sendable (Graph.CachedResponse) -> Bool
  ) async throws -> Graph.LeaseOutcome {
    let maximum = min(limit ?? options.maximumWait, options.maximumWait)
    let end = ValkeyClock.now + maximum.nanoseconds
    // The token of a try whose outcome is unknown may have become the lease's.
    let token = Generations.random()
    let first = try await tryLease(key, token, isUsable)
    if case .ends(let outcome) = first { return outcome }
    let signal = WakeSignal()
    let shard = valkey.shards.shard(of: key)
    let channel = shard.keys.channel(key)
    let id = shard.subscriptions.subscribe(channel) { signal.receive($0) }
    defer { shard.subscriptions.unsubscribe(channel, id) }
    var sleep = Self.pollInterval
    while true {
      let left = Duration.nanoseconds(end - ValkeyClock.now)
      guard left > .zero else { return .unavailable }
      await signal.wait(for: min(signal.isSubscribed ? sleep : Self.pollInterval, left))
      try Task.checkCancellation()
      switch try await retryLease(key, token, isUsable) {
      case .ends(let outcome): return outcome
      // One millisecond more, so that it has expired then.
      case .isHeld(let milliseconds):
        sleep = min(Self.longestSleep, .milliseconds(max(1, milliseconds + 1)))
      case .isUnknown: sleep = Self.pollInterval
      }
    }
  }

  /// As ``tryLease(_:_:_:)``, for a process that waits in any case, so that a late response of the server does no harm.
  private func retryLease(
    _ key: Graph.CacheKey, _ token: [UInt8], _ isUsable: (Graph.CachedResponse) -> Bool
  ) async throws(Graph.ValkeyError) -> Attempt {
    do {
      return try await tryLease(key, token, isUsable)
    } catch {
      guard error.code == .timedOut else { throw error }
      return .isUnknown
    }
  }

  /// The time of a lease until its process has learned of it, and extends it. A server that was stopped carries out the
  /// commands of processes that have given up, and others should not wait long for those.
  var firstLeaseTime: Duration {
    min(options.leaseTime, max(.milliseconds(100), valkey.configuration.timeout * 5))
  }

  private enum Attempt {
    case ends(Graph.LeaseOutcome)
    /// - Parameter milliseconds: until the lease expires.
    case isHeld(milliseconds: Int64)
    case isUnknown
  }

  private func tryLease(
    _ key: Graph.CacheKey, _ token: [UInt8], _ isUsable: (Graph.CachedResponse) -> Bool
  ) async throws(Graph.ValkeyError) -> Attempt {
    let shard = valkey.shards.shard(of: key)
    let (name, lookup) = (shard.keys.lease(key), shard.keys.lookup(key))
    var commands = ValkeyCommands()
    commands.append([
      .init(text: "SET"), .init(text: name), token, .init(text: "NX"), .init(text: "PX"),
      .init(text: String(firstLeaseTime.positiveMilliseconds)),
    ])
    commands.append("GET", name)
    commands.append("PTTL", name)
    // After the lease: a response is stored before its lease ends.
    Self.append(lookup, to: &commands)
    let values = try await shard.send(commands)
    for value in values { _ = try value.checked() }
    let holder = values[1].bytes
    let lease = ValkeyLease(self, key, token)
    if let found = try await found(values[3...], lookup, for: key, on: shard),
      isUsable(found.response)
    {
      if holder == token { await lease.end(letsOthersAsk: false) }
      return .ends(.stored(found.response))
    }
    if holder == Self.unstorable { return .ends(.unavailable) }
    guard holder == token else { return .isHeld(milliseconds: values[2].integer ?? 0) }
    if let (all, scope) = Self.generations(values[3...]) {
      lease.begin(Generations(all: all, scope: scope))
    } else {
      lease.begin(try await createGenerations(key.scope, on: shard))
    }
    return .ends(.granted(lease))
  }

  /// The current generations, which exist afterwards.
  private func createGenerations(
    _ scope: String, on shard: ValkeyShard
  ) async throws(Graph.ValkeyError) -> Generations? {
    let value = try await shard.evaluate(
      StorageScripts.generations, keys: [shard.keys.all, shard.keys.scope(scope)],
      [Generations.random(), .init(text: String(generationTime))])
    guard let current = value.array, current.count == 2, let all = current[0].bytes,
      let scope = current[1].bytes
    else { return nil }
    return Generations(all: all, scope: scope)
  }
}

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

/// Wakes one task when the lease for which it waits may have ended.
final class WakeSignal: Sendable {
  private struct State {
    var isSubscribed = false
    /// Whether something has happened since the last wait.
    var hasNews = false
    var promise: Promise<Void>?
  }

  private let state = Locked(State())

  /// Whether messages arrive.
  var isSubscribed: Bool { state.withLock { $0.isSubscribed } }

  func receive(_ message: ValkeySubscriptions.Message) {
    state.withLock { state in
      switch message {
      case .subscribed: state.isSubscribed = true
      case .lost: state.isSubscribed = false
      case .message: break
      }
    }
    fire()
  }

  private func fire() {
    let promise = state.withLock { state in
      state.hasNews = state.promise == nil
      defer { state.promise = nil }
      return state.promise
    }
    promise?.resolve(.success(()))
  }

  /// Returns after `duration`, after a message, or when the task is cancelled.
  func wait(for duration: Duration) async {
    let promise = Promise<Void>()
    let hasNews = state.withLock { state in
      defer { state.hasNews = false }
      if !state.hasNews { state.promise = promise }
      return state.hasNews
    }
    if hasNews { return }
    let timeout = Graph.SystemTime().schedule(after: duration) { promise.resolve(.success(())) }
    defer { timeout.cancel() }
    await withTaskCancellationHandler {
      try? await promise.value
    } onCancel: {
      promise.resolve(.success(()))
    }
    state.withLock { $0.promise = nil }
  }
}
