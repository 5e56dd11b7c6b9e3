import Foundation
import GraphClient
import GraphQLRuntime

extension Graph {
  /// Responses on a Valkey or Redis server, which the processes of a service share.
  ///
  /// A response is stored for ``Options/timeToLive``. It only counts if it is undamaged and was stored under the same
  /// key, with its endpoint and identity, and if nothing has been removed since that includes it. If the server cannot
  /// be reached, is too slow, or has restarted, requests are sent as without a cache.
  ///
  /// Removing all responses, those of a scope or those with a tag takes one command (one for each shard of a cluster),
  /// however many there are. The server deletes them when their time to live has passed, or earlier if it needs memory.
  /// A read takes one round trip, and two if the response has tags.
  public final class ValkeyStorage: Sendable {
    /// The settings of a storage. All processes of a service should have the same.
    public struct Options: Sendable {
      /// For how long the server keeps a response.
      public var timeToLive: Duration = .seconds(3600)
      /// The maximum number of bytes of a response's JSON. Larger ones are not stored.
      public var maximumBytes = 4 << 20
      /// From how many bytes of JSON on a response is compressed, if this machine has zlib; nil for never. JSON has
      /// about a fifth of its bytes then, and a read takes longer.
      public var compressedSize: Int? = 64 << 10
      /// Encrypts responses, after they were compressed; nil, the default, stores them as JSON.
      public var encryption: (any ValkeyEncryption)?
      /// The tags of a response, at most 255, by which it can be removed; by default, there are none.
      public var tags: (@Sendable (CachedResponse) -> [String])?
      /// For how long a process that has ended without a trace keeps others from sending its request.
      public var leaseTime: Duration = .seconds(3)
      /// How long a process waits for another's response before it sends its own request.
      public var maximumWait: Duration = .seconds(10)

      /// The default settings.
      public init() {}
    }

    let valkey: Valkey
    let options: Options
    /// Generations live longer than the responses that contain them.
    let generationTime: Int64

    /// A storage on a server.
    public init(_ valkey: Valkey, options: Options = Options()) {
      self.valkey = valkey
      self.options = options
      generationTime = max(options.timeToLive.positiveMilliseconds * 10, 86_400_000)
    }
  }
}

extension Graph.ValkeyStorage: Graph.ResponseStorage {
  public func response(for key: Graph.CacheKey) async throws -> Graph.CachedResponse? {
    try await lookUp(key)?.response
  }

  public func store(_ response: Graph.CachedResponse, for key: Graph.CacheKey) async throws {
    try await store(response, for: key, expecting: nil, lease: [])
  }

  public func remove(_ key: Graph.CacheKey) async throws {
    let shard = valkey.shards.shard(of: key)
    try await shard.remove(by: ValkeyCommands("UNLINK", shard.keys.response(key)))
  }

  /// Removes all responses of the namespace.
  public func removeAll() async throws { try await change(\.all) }
}

extension Graph.ValkeyStorage {
  /// Removes the responses of one endpoint and identity, such as those of a user who has logged out. See
  /// `Graph.CacheKey.scope(endpoint:headers:)`.
  public func removeAll(ofScope scope: String) async throws {
    try await change { $0.scope(scope) }
  }

  /// Removes the responses with a tag, see ``Options/tags``.
  public func removeAll(withTag tag: String) async throws {
    try await change { $0.tag(tag) }
  }

  /// Removes a generation, without which no response counts that contains it: a new one is random.
  private func change(_ generation: @escaping @Sendable (ValkeyKeys) -> String) async throws {
    try await valkey.shards.forEach { shard throws(Graph.ValkeyError) in
      try await shard.remove(by: ValkeyCommands("UNLINK", generation(shard.keys)))
    }
  }
}

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

extension Graph.ValkeyStorage {
  /// Stores a response, and ends the lease under which it was requested.
  ///
  /// - Parameters:
  ///   - generations: those from before the request; nil for any.
  ///   - lease: the lease's token; empty for none.
  func store(
    _ response: Graph.CachedResponse, for key: Graph.CacheKey, expecting generations: Generations?,
    lease: [UInt8]
  ) async throws {
    guard response.bytes.count <= options.maximumBytes else { throw Self.tooLarge }
    let tags = options.tags?(response) ?? []
    guard tags.count <= 255, tags.allSatisfy({ $0.utf8.count <= 1024 }) else {
      throw Graph.ValkeyError(.refused, message: "a response has too many tags, or too long ones")
    }
    let (form, content) = try content(of: response.bytes, for: key)
    let envelope = ValkeyEnvelope(
      timeToLive: options.timeToLive.positiveMilliseconds, storedAt: response.storedAt,
      form: form, content: content)
    let shard = valkey.shards.shard(of: key)
    let keys = shard.keys
    _ = try await shard.evaluate(
      StorageScripts.store,
      keys: [keys.response(key), keys.lease(key), keys.all, keys.scope(key.scope)]
        + tags.map(keys.tag),
      [
        envelope.encoded(key), .init(text: String(envelope.timeToLive)), Generations.random(),
        generations?.all ?? [], generations?.scope ?? [], lease,
        .init(text: String(generationTime)), .init(text: keys.channel(key)),
      ] + tags.map(StoredResponse.head))
  }

  private func content(
    of bytes: [UInt8], for key: Graph.CacheKey
  ) throws -> (ValkeyEnvelope.Form, [UInt8]) {
    var (form, content) = (ValkeyEnvelope.Form(), bytes)
    if let minimum = options.compressedSize, bytes.count >= minimum,
      let compressed = Compression.compressed(bytes)
    {
      content = compressed
      form.insert(.compressed)
    }
    if let encryption = options.encryption {
      content = try encryption.encrypt(content, for: key)
      form.insert(.encrypted)
    }
    return (form, content)
  }

  static var tooLarge: Graph.ValkeyError {
    Graph.ValkeyError(.refused, message: "the response has more bytes than the storage accepts")
  }
}

extension Graph {
  /// Encrypts stored responses, for example with swift-crypto. The key of the response should be authenticated with
  /// it.
  public protocol ValkeyEncryption: Sendable {
    /// The encrypted form of a response's JSON. If this throws an error, the response is not stored.
    func encrypt(_ bytes: [UInt8], for key: CacheKey) throws -> [UInt8]
    /// The JSON of an encrypted response. If this throws an error, the response counts as missing.
    func decrypt(_ bytes: [UInt8], for key: CacheKey) throws -> [UInt8]
  }
}

/// The scripts of the storage. Each runs without interruption, so no process sees a part of its effect.
enum StorageScripts {
  /// Stores a response with the current generations, which are created if they are missing, and ends the lease.
  ///
  /// Keys: the response, the lease, the generations of the namespace, the scope and the tags. Arguments: the envelope,
  /// its time to live, a new generation, the expected generations of the namespace and the scope (empty for any), the
  /// lease's token (empty for none), the time to live of generations, the channel, and the head of each tag.
  ///
  /// A changed generation means that the response was requested before a removal, and must not be stored. The time of
  /// a generation is extended rarely, since that is a change that all memories above the server are notified of.
  static let store = ValkeyScript(
    ServerScripts.generation + """
      local value, current = 'GRV1', 1
      for i = 3, #KEYS do
        local generation = redis.call('GET', KEYS[i])
        if i <= 4 and ARGV[i + 1] ~= '' and generation ~= ARGV[i + 1] then current = 0 end
        if not generation then
          generation = i == 3 and ofThisServer(ARGV[3]) or ARGV[3]
          redis.call('SET', KEYS[i], generation, 'PX', ARGV[7])
        elseif redis.call('PTTL', KEYS[i]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[i], ARGV[7])
        end
        if i > 4 then value = value .. ARGV[i + 4] end
        value = value .. generation
        if i == 4 then value = value .. string.char(#KEYS - 4) end
      end
      if current == 1 then redis.call('SET', KEYS[1], value .. ARGV[1], 'PX', ARGV[2]) end
      if ARGV[6] ~= '' and redis.call('GET', KEYS[2]) == ARGV[6] then redis.call('DEL', KEYS[2]) end
      redis.call('PUBLISH', ARGV[8], '')
      return current
      """)

  /// The generations of the namespace and a scope, which exist afterwards. Keys: both. Arguments: a new generation, and its
  /// time to live.
  static let generations = ValkeyScript(
    ServerScripts.generation + """
      for i = 1, 2 do
        redis.call('SET', KEYS[i], i == 1 and ofThisServer(ARGV[1]) or ARGV[1], 'NX', 'PX', ARGV[2])
      end
      return redis.call('MGET', KEYS[1], KEYS[2])
      """)

  /// Ends a lease, unless another process has it by now. Key: the lease. Arguments: its token, the channel, and the
  /// milliseconds in which no process gets a lease, 0 for none.
  static let release = ValkeyScript(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    if ARGV[3] == '0' then
      redis.call('DEL', KEYS[1])
    else
      redis.call('SET', KEYS[1], '-', 'PX', ARGV[3])
    end
    redis.call('PUBLISH', ARGV[2], '')
    return 1
    """)

  /// Extends a lease, unless another process has it by now. Key: the lease. Arguments: its token and its time.
  static let renew = ValkeyScript(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
    """)
}
