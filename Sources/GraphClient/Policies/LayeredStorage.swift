import Foundation

extension Graph {
  /// A fast storage in front of a durable one: responses that are read from the second are kept in
  /// the first.
  public struct LayeredStorage: ResponseStorage {
    private let upper: any ResponseStorage
    private let lower: any ResponseStorage

    /// A storage that reads from the first before the second.
    public init(_ upper: any ResponseStorage, over lower: any ResponseStorage) {
      self.upper = upper
      self.lower = lower
    }

    /// The response in the first storage, or else in the second; the first then keeps it.
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

    /// Deletes the response from both.
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
  /// The default storage, which clients share: 16 MiB of memory and 64 MiB in the user's caches
  /// directory. Nothing is created before the first response is stored.
  public static var standard: Graph.LayeredStorage { standardStorage }
}

private let standardStorage = Graph.LayeredStorage(
  Graph.MemoryStorage(), over: Graph.DiskStorage(directory: Graph.LayeredStorage.directory()))

extension Graph.LayeredStorage {
  /// The folder of the standard storage. Apps on a Mac without a sandbox share the caches directory, so
  /// each app has its own folder in it.
  static func directory(
    in caches: URL? = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first,
    of app: String? = Bundle.main.bundleIdentifier
  ) -> URL {
    var folder = caches ?? FileManager.default.temporaryDirectory
    if let app { folder.appendPathComponent(app) }
    return folder.appendingPathComponent("GraphClient.responses")
  }
}
