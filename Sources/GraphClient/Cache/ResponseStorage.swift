extension Graph {
  /// Where responses are kept. A server fleet can put a shared cache behind it.
  ///
  /// What is stored is a response's JSON; a storage that leaves the process has to keep others from
  /// reading it. An error that a storage throws is taken as a miss.
  public protocol ResponseStorage: Sendable {
    /// The response under `key`, nil when there is none.
    func response(for key: CacheKey) async throws -> CachedResponse?
    /// Keeps the response in place of what was under `key`.
    func store(_ response: CachedResponse, for key: CacheKey) async throws
    /// Forgets the response under `key`, if there is one.
    func remove(_ key: CacheKey) async throws
    /// Forgets everything, on disk as well.
    func removeAll() async throws
  }

  /// Names a stored response. Both parts are digests, made of hexadecimal digits.
  public struct CacheKey: Sendable, Hashable {
    /// The endpoint and the identity of who asks.
    public let scope: String
    /// Document, variables, endpoint, identity and locale.
    public let name: String

    /// A key of two digests.
    public init(scope: String, name: String) {
      self.scope = scope
      self.name = name
    }
  }

  /// A response's JSON and when it came.
  public struct CachedResponse: Sendable, Hashable {
    /// The response's JSON.
    public let bytes: [UInt8]
    /// When it came.
    public let storedAt: Moment

    /// A response that came at a point in time.
    public init(bytes: [UInt8], storedAt: Moment) {
      self.bytes = bytes
      self.storedAt = storedAt
    }
  }
}
