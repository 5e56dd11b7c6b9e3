import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Responses on disk, limited by bytes; the least recently used are deleted first, across
  /// launches.
  ///
  /// One directory per endpoint and identity, readable by the user only (0700, files 0600). Files
  /// are written under another name and renamed, and contain a checksum: a truncated or changed
  /// file is removed and counts as a miss.
  public final class DiskStorage: ResponseStorage {
    let directory: URL
    private let capacity: Int
    /// File access blocks, so it runs on its own thread.
    private let queue = DispatchQueue(label: "GraphClient.DiskStorage")
    /// Sizes of the files; nil until the directory has been read. Only used on `queue`.
    private let index = Locked<LeastRecentlyUsed<CacheKey, Int>?>(nil)

    /// - Parameters:
    ///   - directory: the storage's own; `removeAll` removes it. It is created when first needed.
    ///   - capacity: the maximum number of bytes of files to keep.
    public init(directory: URL, capacity: Int = 64 << 20) {
      self.directory = directory
      self.capacity = capacity
    }

    /// The response under `key`; a damaged file is removed and counts as missing.
    public func response(for key: CacheKey) async throws -> CachedResponse? {
      try await perform { storage in
        let url = storage.url(of: key)
        guard let data = try? Data(contentsOf: url) else { return nil }
        guard let response = CacheFile.decode([UInt8](data), key: key) else {
          storage.removeFile(key)
          return nil
        }
        storage.withIndex { _ = $0.use(key) }
        // Only the order of use is lost if this fails.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: url.path)
        return response
      }
    }

    /// Writes the response, and deletes the least recently used ones if necessary.
    public func store(_ response: CachedResponse, for key: CacheKey) async throws {
      try await perform { storage in
        let bytes = CacheFile.encode(response, key: key)
        let evicted = storage.withIndex { $0.insert(bytes.count, for: key, size: bytes.count) }
        for (key, _) in evicted { storage.removeFile(key) }
        guard !evicted.contains(where: { $0.key == key }) else { return }
        do {
          try PrivateFile.write(bytes, to: storage.url(of: key), in: storage.directory)
        } catch {
          storage.removeFile(key)
          throw error
        }
      }
    }

    /// Removes the file of `key`.
    public func remove(_ key: CacheKey) async throws {
      try await perform { $0.removeFile(key) }
    }

    public func removeAll() async throws {
      try await perform { storage in
        storage.index.withLock { $0 = nil }
        guard FileManager.default.fileExists(atPath: storage.directory.path) else { return }
        try FileManager.default.removeItem(at: storage.directory)
      }
    }

    private func perform<T: Sendable>(
      _ work: @escaping @Sendable (DiskStorage) throws -> T
    ) async throws -> T {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try work(self) }) }
      }
    }

    private func url(of key: CacheKey) -> URL {
      directory.appendingPathComponent(key.scope).appendingPathComponent(key.name)
    }

    private func removeFile(_ key: CacheKey) {
      withIndex { _ = $0.remove(key) }
      try? FileManager.default.removeItem(at: url(of: key))
    }

    private func withIndex<T: Sendable>(
      _ body: (inout LeastRecentlyUsed<CacheKey, Int>) -> T
    ) -> T {
      index.withLock { index in
        var known = index ?? readDirectory()
        defer { index = known }
        return body(&known)
      }
    }

    /// The existing files, the least recently used first.
    private func readDirectory() -> LeastRecentlyUsed<CacheKey, Int> {
      var index = LeastRecentlyUsed<CacheKey, Int>(capacity: capacity)
      let manager = FileManager.default
      var files: [(key: CacheKey, size: Int, used: Date)] = []
      for scope in (try? manager.contentsOfDirectory(atPath: directory.path)) ?? [] {
        let folder = directory.appendingPathComponent(scope)
        for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] {
          let path = folder.appendingPathComponent(name).path
          guard let attributes = try? manager.attributesOfItem(atPath: path) else { continue }
          files.append(
            (
              CacheKey(scope: scope, name: name), (attributes[.size] as? Int) ?? 0,
              (attributes[.modificationDate] as? Date) ?? .distantPast
            ))
        }
      }
      // A time in the future was written before the clock was set back; such a file would stay too
      // long.
      let now = Date()
      for index in files.indices where files[index].used > now { files[index].used = .distantPast }
      for file in files.sorted(by: { $0.used < $1.used }) {
        for (key, _) in index.insert(file.size, for: file.key, size: file.size) {
          try? manager.removeItem(at: url(of: key))
        }
      }
      return index
    }
  }
}

/// The form of a stored response: a marker, the SHA-256 of the rest, a line of JSON with the time
/// and the key, and the response.
enum CacheFile {
  private static let mark = Array("GRC1".utf8)

  static func encode(_ response: Graph.CachedResponse, key: Graph.CacheKey) -> [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "key": .string(key.name), "boot": .string(response.storedAt.boot),
      "wall": JSON(response.storedAt.wall.milliseconds),
      "uptime": JSON(response.storedAt.uptime.milliseconds),
    ])
    let content = writer.finish() + [UInt8(ascii: "\n")] + response.bytes
    return mark + SHA256.digest(content) + content
  }

  /// - Returns: nil if the file was changed, or was not written under `key`.
  static func decode(_ bytes: [UInt8], key: Graph.CacheKey) -> Graph.CachedResponse? {
    let start = mark.count + 32
    guard bytes.count > start, bytes.starts(with: mark) else { return nil }
    let content = bytes[start...]
    guard SHA256.digest(content).elementsEqual(bytes[mark.count..<start]),
      let lineEnd = content.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDocument(parsing: Array(content[..<lineEnd])).root,
      head["key"]?.string == key.name, let boot = head["boot"]?.string,
      let wall = head["wall"]?.int, let uptime = head["uptime"]?.int
    else { return nil }
    return Graph.CachedResponse(
      bytes: Array(content[(lineEnd + 1)...]),
      storedAt: Graph.Timestamp(
        wall: .milliseconds(wall), uptime: .milliseconds(uptime), boot: boot))
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
