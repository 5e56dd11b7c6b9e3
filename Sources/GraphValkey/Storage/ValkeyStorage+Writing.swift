import Foundation
import GraphClient

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
