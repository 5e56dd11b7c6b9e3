extension Graph {
  /// Stores responses. A fleet of servers can use a shared cache.
  ///
  /// Responses are stored as JSON. A storage outside the process must prevent others from reading
  /// it. If a storage throws an error, it counts as a miss.
  public protocol ResponseStorage: Sendable {
    /// The response under `key`, nil if there is none.
    func response(for key: CacheKey) async throws -> CachedResponse?
    /// Stores the response, replacing the one under `key`.
    func store(_ response: CachedResponse, for key: CacheKey) async throws
    /// Deletes the response under `key`, if there is one.
    func remove(_ key: CacheKey) async throws
    /// Deletes everything, also on disk.
    func removeAll() async throws
  }

  /// Identifies a stored response. Both parts are digests of hexadecimal digits.
  public struct CacheKey: Sendable, Hashable {
    /// The endpoint and the user's identity.
    public let scope: String
    /// Document, variables, endpoint, identity and locale.
    public let name: String

    /// A key of two digests.
    public init(scope: String, name: String) {
      self.scope = scope
      self.name = name
    }
  }

  /// A response's JSON and the time when it arrived.
  public struct CachedResponse: Sendable, Hashable {
    /// The response's JSON.
    public let bytes: [UInt8]
    /// The time when it arrived.
    public let storedAt: Timestamp

    /// A response that arrived at a point in time.
    public init(bytes: [UInt8], storedAt: Timestamp) {
      self.bytes = bytes
      self.storedAt = storedAt
    }
  }
}
