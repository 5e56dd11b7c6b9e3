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
