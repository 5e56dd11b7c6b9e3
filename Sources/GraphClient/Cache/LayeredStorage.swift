import Foundation

extension Graph {
  /// A fast storage over a lasting one: what is read below is kept above.
  public struct LayeredStorage: ResponseStorage {
    private let upper: any ResponseStorage
    private let lower: any ResponseStorage

    /// A storage that asks the first before the second.
    public init(_ upper: any ResponseStorage, over lower: any ResponseStorage) {
      self.upper = upper
      self.lower = lower
    }

    /// The response in the upper storage, or else the one below, which is then kept above.
    public func response(for key: CacheKey) async throws -> CachedResponse? {
      if let response = try await upper.response(for: key) { return response }
      guard let response = try await lower.response(for: key) else { return nil }
      try await upper.store(response, for: key)
      return response
    }

    /// Keeps the response in both.
    public func store(_ response: CachedResponse, for key: CacheKey) async throws {
      try await upper.store(response, for: key)
      try await lower.store(response, for: key)
    }

    /// Forgets the response in both.
    public func remove(_ key: CacheKey) async throws {
      try await upper.remove(key)
      try await lower.remove(key)
    }

    public func removeAll() async throws {
      try await upper.removeAll()
      try await lower.removeAll()
    }
  }
}

extension Graph.ResponseStorage where Self == Graph.LayeredStorage {
  /// What clients share unless they are told otherwise: 16 MiB of memory over 64 MiB in the user's
  /// caches directory. Nothing is created before the first response is stored.
  public static var standard: Graph.LayeredStorage { standardStorage }
}

private let standardStorage = Graph.LayeredStorage(
  Graph.MemoryStorage(), over: Graph.DiskStorage(directory: standardDirectory))

private var standardDirectory: URL {
  let manager = FileManager.default
  let caches = manager.urls(for: .cachesDirectory, in: .userDomainMask).first
  return (caches ?? manager.temporaryDirectory).appendingPathComponent("GraphClient.responses")
}
