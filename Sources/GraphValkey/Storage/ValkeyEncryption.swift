import GraphClient

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
