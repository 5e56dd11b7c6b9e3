import Foundation
import Testing

@testable import GraphClient

final class DiskStorageTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("disk-storage-\(UUID().uuidString)")
  private let scope = String(repeating: "a", count: 64)

  deinit { try? FileManager.default.removeItem(at: directory) }

  private func key(_ name: String, scope: String? = nil) -> Graph.CacheKey {
    Graph.CacheKey(scope: scope ?? self.scope, name: name)
  }

  private func response(_ text: String) -> Graph.CachedResponse {
    Graph.CachedResponse(
      bytes: Array(text.utf8),
      storedAt: Graph.Timestamp(wall: .seconds(5), uptime: .seconds(3), boot: "b"))
  }

  private var files: [URL] {
    let enumerator = FileManager.default.enumerator(
      at: directory, includingPropertiesForKeys: [.isRegularFileKey])
    return (enumerator?.allObjects as? [URL] ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
  }

  @Test func responsesSurviveARestart() async throws {
    try await Graph.DiskStorage(directory: directory).store(response("{}\n{}"), for: key("k"))
    let found = try await Graph.DiskStorage(directory: directory).response(for: key("k"))
    #expect(found == response("{}\n{}"))
    #expect(try await Graph.DiskStorage(directory: directory).response(for: key("l")) == nil)
  }

  @Test func filesAreReadableOnlyByTheUser() async throws {
    try await Graph.DiskStorage(directory: directory).store(response("{}"), for: key("k"))
    func permissions(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    let file = try #require(files.first)
    #expect(try permissions(file) == 0o600)
    #expect(try permissions(file.deletingLastPathComponent()) == 0o700)
    #expect(try permissions(directory) == 0o700)
  }

  @Test func readingDoesNotCreateTheDirectory() async throws {
    let storage = Graph.DiskStorage(directory: directory)
    #expect(try await storage.response(for: key("k")) == nil)
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test(arguments: [0, 3, 10, 40, 60])
  func damagedFileIsAMissAndIsRemoved(position: Int) async throws {
    let storage = Graph.DiskStorage(directory: directory)
    try await storage.store(response("{\"data\":{}}"), for: key("k"))
    let file = try #require(files.first)
    var bytes = try [UInt8](Data(contentsOf: file))
    bytes[position] ^= 1
    try Data(bytes).write(to: file)
    #expect(try await storage.response(for: key("k")) == nil)
    #expect(files.isEmpty)
  }

  @Test(arguments: [0, 4, 36, 50])
  func truncatedFileIsAMiss(length: Int) async throws {
    let storage = Graph.DiskStorage(directory: directory)
    try await storage.store(response("{\"data\":{}}"), for: key("k"))
    let file = try #require(files.first)
    try Data(contentsOf: file).prefix(length).write(to: file)
    #expect(try await storage.response(for: key("k")) == nil)
  }

  @Test func aFileUnderAnotherKeyIsAMiss() async throws {
    let storage = Graph.DiskStorage(directory: directory)
    try await storage.store(response("{}"), for: key("k"))
    let file = try #require(files.first)
    try FileManager.default.moveItem(
      at: file, to: file.deletingLastPathComponent().appendingPathComponent("l"))
    #expect(try await storage.response(for: key("l")) == nil)
  }

  @Test func leastRecentlyUsedFileIsEvicted() async throws {
    let size = CacheFile.encode(response("{}"), key: key("a")).count
    let storage = Graph.DiskStorage(directory: directory, capacity: size * 3)
    for name in ["a", "b", "c"] { try await storage.store(response("{}"), for: key(name)) }
    _ = try await storage.response(for: key("a"))
    try await storage.store(response("{}"), for: key("d"))
    #expect(Set(files.map(\.lastPathComponent)) == ["a", "c", "d"])
  }

  @Test func capacityIncludesFilesOfEarlierLaunches() async throws {
    let size = CacheFile.encode(response("{}"), key: key("a")).count
    let storage = Graph.DiskStorage(directory: directory)
    for name in ["a", "b", "c", "d"] { try await storage.store(response("{}"), for: key(name)) }
    let smaller = Graph.DiskStorage(directory: directory, capacity: size * 2)
    try await smaller.store(response("{}"), for: key("e"))
    #expect(files.count == 2)
    #expect(files.contains { $0.lastPathComponent == "e" })
  }

  @Test func fileDatedInTheFutureIsEvicted() async throws {
    let size = CacheFile.encode(response("{}"), key: key("a")).count
    let storage = Graph.DiskStorage(directory: directory)
    for name in ["a", "b", "c"] { try await storage.store(response("{}"), for: key(name)) }
    let file = try #require(files.first { $0.lastPathComponent == "c" })
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 300_000_000)], ofItemAtPath: file.path)
    let smaller = Graph.DiskStorage(directory: directory, capacity: size * 3)
    try await smaller.store(response("{}"), for: key("d"))
    #expect(Set(files.map(\.lastPathComponent)) == ["a", "b", "d"])
  }

  @Test func responsesLargerThanTheCapacityAreNotStored() async throws {
    let storage = Graph.DiskStorage(directory: directory, capacity: 100)
    try await storage.store(response(String(repeating: " ", count: 200)), for: key("k"))
    #expect(files.isEmpty)
  }

  @Test func purgeRemovesAllFiles() async throws {
    let client = Graph.Client.test(
      ScriptedTransport(.shop), headers: ["Authorization": "Bearer secret"],
      cachePolicy: .cacheFirst
    ) { [directory] in
      $0.storage = Graph.LayeredStorage(
        Graph.MemoryStorage(), over: Graph.DiskStorage(directory: directory))
    }
    _ = try await client.query(shopQuery())
    let file = try #require(files.first)
    #expect(files.count == 1)
    #expect(!file.path.contains("secret"))
    #expect(try !String(decoding: Data(contentsOf: file), as: UTF8.self).contains("secret"))
    try await client.purge()
    #expect(!FileManager.default.fileExists(atPath: directory.path))
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), cachePolicy: .cacheOnly)
    }
  }
}

struct LeastRecentlyUsedTests {
  @Test func evictsTheLeastRecentlyUsedEntries() {
    var entries = LeastRecentlyUsed<Int, String>(capacity: 30)
    for key in 0..<3 { #expect(entries.insert("\(key)", for: key, size: 10).isEmpty) }
    #expect(entries.use(0) == "0")
    #expect(entries.insert("3", for: 3, size: 10).map(\.key) == [1])
    #expect(entries.insert("big", for: 4, size: 25).map(\.key) == [2, 0, 3])
    #expect(entries.totalSize == 25)
    for key in 0..<4 { #expect(entries.use(key) == nil) }
    #expect(entries.insert("too big", for: 5, size: 31).map(\.key) == [5])
    #expect(entries.remove(4) == "big" && entries.totalSize == 0)
  }

  @Test func replacingAnEntryCountsItOnce() {
    var entries = LeastRecentlyUsed<Int, Int>(capacity: 30)
    for value in 0..<10 { _ = entries.insert(value, for: 1, size: 20) }
    #expect(entries.totalSize == 20 && entries.use(1) == 9)
  }

  @Test func randomOperationsAgreeWithAModel() {
    var entries = LeastRecentlyUsed<Int, Int>(capacity: 50)
    var model: [(key: Int, size: Int)] = []
    var seed: UInt64 = 7
    for _ in 0..<5000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Int(seed >> 33) % 12
      let size = Int(seed >> 45) % 20 + 1
      switch Int(seed >> 60) % 3 {
      case 0:
        _ = entries.insert(key, for: key, size: size)
        model.removeAll { $0.key == key }
        model.append((key, size))
        while model.map(\.size).reduce(0, +) > 50 { model.removeFirst() }
      case 1:
        let found = entries.use(key)
        #expect((found != nil) == model.contains { $0.key == key })
        if let index = model.firstIndex(where: { $0.key == key }) {
          model.append(model.remove(at: index))
        }
      default:
        entries.remove(key)
        model.removeAll { $0.key == key }
      }
      #expect(entries.totalSize == model.map(\.size).reduce(0, +))
      // One that needs all the space drives out the others, the oldest first.
      var copy = entries
      #expect(copy.insert(0, for: -1, size: 50).map(\.key) == model.map(\.key))
    }
  }
}
