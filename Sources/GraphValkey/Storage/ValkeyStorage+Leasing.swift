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
