import Foundation
import GraphClient

extension Graph.ValkeyStorage {
  /// A stored response, and for how long the server keeps it.
  struct Found: Sendable {
    let response: Graph.CachedResponse
    let remaining: Duration
    /// The keys whose changes make the response unusable.
    let dependencies: [String]
  }

  /// The commands whose values ``found(_:_:for:on:)`` reads: the response with its generations, and its remaining time.
  static func append(_ lookup: ValkeyKeys.Lookup, to commands: inout ValkeyCommands) {
    commands.append("MGET", lookup.response, lookup.all, lookup.scope)
    commands.append("PTTL", lookup.response)
  }

  func lookUp(_ key: Graph.CacheKey) async throws(Graph.ValkeyError) -> Found? {
    let shard = valkey.shards.shard(of: key)
    let lookup = shard.keys.lookup(key)
    var commands = ValkeyCommands()
    Self.append(lookup, to: &commands)
    return try await found(try await shard.send(commands)[...], lookup, for: key, on: shard)
  }

  /// The current generations in the values of a lookup; nil if one does not exist.
  static func generations(
    _ values: ArraySlice<ValkeyValue>
  ) -> (all: [UInt8], scope: [UInt8])? {
    guard let values = values.first?.array, values.count == 3, let all = values[1].bytes,
      let scope = values[2].bytes
    else { return nil }
    return (all, scope)
  }

  /// The response in the values of a lookup; nil if there is none, or if it does not count.
  func found(
    _ values: ArraySlice<ValkeyValue>, _ lookup: ValkeyKeys.Lookup, for key: Graph.CacheKey,
    on shard: ValkeyShard
  ) async throws(Graph.ValkeyError) -> Found? {
    for value in values { _ = try value.checked() }
    guard let value = values.first?.array?.first?.bytes, let remaining = values.last?.integer,
      remaining > 0
    else { return nil }
    let keys = shard.keys
    guard let (all, scope) = Self.generations(values), let stored = StoredResponse(value),
      stored.all.hasBytes(of: all), stored.scope.hasBytes(of: scope)
    else { return nil }
    if !stored.tags.isEmpty {
      var commands = ValkeyCommands()
      commands.append([.init(text: "MGET")] + stored.tags.map { .init(text: keys.tag($0.name)) })
      let current = try await shard.send(commands)[0].checked().array ?? []
      guard current.map(\.bytes) == stored.tags.map(\.generation) else { return nil }
    }
    return response(stored, for: key, remaining).map {
      Found(
        response: $0, remaining: .milliseconds(remaining),
        dependencies: [lookup.response, lookup.all, lookup.scope]
          + stored.tags.map { keys.tag($0.name) })
    }
  }

  private func response(
    _ stored: StoredResponse, for key: Graph.CacheKey, _ remaining: Int64
  ) -> Graph.CachedResponse? {
    guard let envelope = ValkeyEnvelope(stored.envelope, key: key) else { return nil }
    var bytes = envelope.content
    switch (options.encryption, envelope.form.contains(.encrypted)) {
    case (let encryption?, true):
      guard let decrypted = try? encryption.decrypt(bytes, for: key) else { return nil }
      bytes = decrypted
    case (nil, false): break
    case (nil, true), (_?, false): return nil
    }
    if envelope.form.contains(.compressed) {
      guard let restored = Compression.restored(bytes, maximum: options.maximumBytes) else {
        return nil
      }
      bytes = restored
    }
    return Graph.CachedResponse(
      bytes: bytes, storedAt: envelope.storedAt.here(age: envelope.timeToLive - remaining))
  }
}

extension Graph.Timestamp {
  /// The same point in time on this machine. Clocks of machines differ, and so do their boots: for a response of another
  /// machine, the server's own clock counts.
  ///
  /// - Parameter age: in milliseconds, by the server's clock.
  fileprivate func here(age: Int64) -> Graph.Timestamp {
    let now = Graph.Timestamp.now
    guard boot != now.boot else { return self }
    let age = Duration.milliseconds(max(0, age))
    return Graph.Timestamp(wall: now.wall - age, uptime: now.uptime - age, boot: now.boot)
  }
}
