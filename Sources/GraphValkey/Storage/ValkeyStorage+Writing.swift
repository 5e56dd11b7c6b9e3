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
    let envelope = ValkeyEnvelope(
      timeToLive: options.timeToLive.positiveMilliseconds, storedAt: response.storedAt,
      isEncrypted: options.encryption != nil,
      content: try options.encryption?.encrypt(response.bytes, for: key) ?? response.bytes)
    _ = try await valkey.evaluate(
      StorageScripts.store,
      keys: [keys.response(key), keys.lease(key), keys.all, keys.scope(key.scope)]
        + tags.map(keys.tag),
      [
        envelope.encoded(key), .init(text: String(envelope.timeToLive)), Generations.random(),
        generations?.all ?? [], generations?.scope ?? [], lease,
        .init(text: String(generationTime)), .init(text: keys.channel(key)),
      ] + tags.map(StoredResponse.head))
  }

  static var tooLarge: Graph.ValkeyError {
    Graph.ValkeyError(.refused, message: "the response has more bytes than the storage accepts")
  }
}
