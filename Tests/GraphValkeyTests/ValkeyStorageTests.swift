import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

@Suite(.needsServer, .timeLimit(.minutes(2))) struct ValkeyStorageTests {
  @Test func storesAndRemovesResponses() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client())
    let other = Graph.ValkeyStorage(try server.client())
    #expect(try await storage.response(for: key("a")) == nil)
    let stored = response(#"{"data":{}}"#)
    try await storage.store(stored, for: key("a"))
    try await storage.store(response("{}"), for: key("b"))
    #expect(try await other.response(for: key("a"))?.bytes == stored.bytes)
    #expect(try await other.response(for: key("a", scope: "other")) == nil)
    try await other.remove(key("a"))
    #expect(try await storage.response(for: key("a")) == nil)
    #expect(try await storage.response(for: key("b")) != nil)
    try await other.removeAll()
    #expect(try await storage.response(for: key("b")) == nil)
    try await storage.store(stored, for: key("b"))
    #expect(try await other.response(for: key("b")) != nil)
  }

  @Test func namespacesAreSeparate() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client(namespace: "a"))
    let other = Graph.ValkeyStorage(try server.client(namespace: "b"))
    try await storage.store(response("{}"), for: key("a"))
    #expect(try await other.response(for: key("a")) == nil)
    try await other.removeAll()
    #expect(try await storage.response(for: key("a")) != nil)
  }

  @Test func expires() async throws {
    let server = try await ValkeyServer()
    var options = Graph.ValkeyStorage.Options()
    options.timeToLive = .seconds(2)
    let storage = Graph.ValkeyStorage(try server.client(), options: options)
    try await storage.store(response("{}"), for: key("a"))
    #expect(try await storage.response(for: key("a")) != nil)
    try await until("it has expired") { try await storage.response(for: key("a")) == nil }
  }

  @Test func removesAScopeAndATagAtOnce() async throws {
    let server = try await ValkeyServer()
    var options = Graph.ValkeyStorage.Options()
    options.tags = {
      String(decoding: $0.bytes, as: UTF8.self).contains("shop") ? ["Shop", "é"] : []
    }
    let storage = Graph.ValkeyStorage(try server.client(), options: options)
    for scope in ["x", "y"] {
      try await storage.store(response(#"{"shop":1}"#), for: key("a", scope: scope))
      try await storage.store(response("{}"), for: key("b", scope: scope))
    }
    try await storage.removeAll(ofScope: "x")
    #expect(try await storage.response(for: key("a", scope: "x")) == nil)
    #expect(try await storage.response(for: key("b", scope: "x")) == nil)
    #expect(try await storage.response(for: key("a", scope: "y")) != nil)
    try await storage.removeAll(withTag: "é")
    #expect(try await storage.response(for: key("a", scope: "y")) == nil)
    #expect(try await storage.response(for: key("b", scope: "y")) != nil)
  }

  /// A removal must not be undone when the server forgets it.
  @Test func lostGenerationsRemoveResponses() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let storage = Graph.ValkeyStorage(valkey)
    try await storage.store(response("{}"), for: key("a"))
    try await storage.removeAll(ofScope: "scope")
    try await valkey.run("DEL", storage.keys.scope("scope"))
    #expect(try await storage.response(for: key("a")) == nil)
    try await storage.store(response("{}"), for: key("b"))
    #expect(try await storage.response(for: key("a")) == nil)
    #expect(try await storage.response(for: key("b")) != nil)
  }

  /// Every changed byte of the envelope, and every length, is detected. A changed generation is not the current one.
  @Test func damagedResponsesAreMissing() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let storage = Graph.ValkeyStorage(valkey)
    try await storage.store(response(#"{"data":{"name":"hats"}}"#), for: key("a"))
    let name = storage.keys.response(key("a"))
    let good = try #require(try await valkey.run("GET", name).bytes)
    func put(_ bytes: [UInt8]) async throws -> Graph.CachedResponse? {
      var commands = ValkeyCommands()
      commands.append([
        .init(text: "SET"), .init(text: name), bytes, .init(text: "PX"), .init(text: "60000"),
      ])
      _ = try await valkey.send(commands)[0].checked()
      return try await storage.response(for: key("a"))
    }
    #expect(try await put(good) != nil)
    for index in good.indices {
      var bytes = good
      bytes[index] ^= UInt8(1 << (index % 8))
      #expect(try await put(bytes) == nil, "byte \(index)")
      #expect(try await put(Array(good[..<index])) == nil, "length \(index)")
    }
    try await valkey.run("DEL", name)
    try await valkey.run("LPUSH", name, "another kind of value")
    #expect(try await storage.response(for: key("a")) == nil)
  }

  /// Someone renames a key, or two keys have the same name.
  @Test func responsesOfOtherKeysAreMissing() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let storage = Graph.ValkeyStorage(valkey)
    try await storage.store(response("{}"), for: key("a"))
    try await valkey.run("RENAME", storage.keys.response(key("a")), storage.keys.response(key("b")))
    #expect(try await storage.response(for: key("b")) == nil)
    try await storage.store(response("{}"), for: key("c:d", scope: "e"))
    #expect(
      storage.keys.response(key("c:d", scope: "e")) == storage.keys.response(key("d", scope: "e:c"))
    )
    #expect(try await storage.response(for: key("d", scope: "e:c")) == nil)
  }

  @Test func encryptsResponses() async throws {
    struct Cipher: Graph.ValkeyEncryption {
      let mask: UInt8
      func encrypt(_ bytes: [UInt8], for key: Graph.CacheKey) -> [UInt8] {
        [mask] + bytes.map { $0 ^ mask }
      }
      func decrypt(_ bytes: [UInt8], for key: Graph.CacheKey) throws -> [UInt8] {
        guard bytes.first == mask else { throw CancellationError() }
        return bytes.dropFirst().map { $0 ^ mask }
      }
    }
    let server = try await ValkeyServer()
    let valkey = try server.client()
    func storage(_ mask: UInt8?) -> Graph.ValkeyStorage {
      var options = Graph.ValkeyStorage.Options()
      options.encryption = mask.map(Cipher.init)
      return Graph.ValkeyStorage(valkey, options: options)
    }
    try await storage(7).store(response("secret"), for: key("a"))
    #expect(try await storage(7).response(for: key("a"))?.bytes == Array("secret".utf8))
    #expect(try await storage(8).response(for: key("a")) == nil)
    #expect(try await storage(nil).response(for: key("a")) == nil)
    let raw = try #require(try await valkey.run("GET", storage(7).keys.response(key("a"))).bytes)
    #expect(!String(decoding: raw, as: UTF8.self).contains("secret"))
    try await storage(nil).store(response("plain"), for: key("b"))
    #expect(try await storage(7).response(for: key("b")) == nil)
  }

  @Test func refusesLargeResponses() async throws {
    let server = try await ValkeyServer()
    var options = Graph.ValkeyStorage.Options()
    options.maximumBytes = 10
    let storage = Graph.ValkeyStorage(try server.client(), options: options)
    await #expect(throws: Graph.ValkeyError.self) {
      try await storage.store(response("12345678901"), for: key("a"))
    }
    try await storage.store(response("1234567890"), for: key("a"))
    #expect(try await storage.response(for: key("a")) != nil)
  }

  /// The boot of another machine does not determine the age here; the server's clock does.
  @Test func agesOfOtherMachinesComeFromTheServer() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client())
    let foreign = Graph.Timestamp(wall: .seconds(5), uptime: .seconds(1), boot: "another")
    try await storage.store(Graph.CachedResponse(bytes: [], storedAt: foreign), for: key("a"))
    try await Task.sleep(for: .milliseconds(50))
    let age = try await storage.response(for: key("a"))?.storedAt.age(at: .now)
    let found = try #require(age)
    #expect(found >= .milliseconds(45) && found < .seconds(5))
    let own = response("{}")
    try await storage.store(own, for: key("b"))
    let storedAt = try await storage.response(for: key("b"))?.storedAt
    #expect(storedAt?.boot == own.storedAt.boot)
    let difference = try #require(storedAt).uptime - own.storedAt.uptime
    #expect(difference < .microseconds(1) && difference > .microseconds(-1))
  }

  @Test func evictionOnlyLosesResponses() async throws {
    let server = try await ValkeyServer([
      "--maxmemory", "3mb", "--maxmemory-policy", "allkeys-random",
    ])
    let storage = Graph.ValkeyStorage(try server.client())
    let text = String(repeating: "x", count: 10_000)
    for number in 0..<500 {
      // The server refuses commands while it cannot free enough memory.
      try? await storage.store(response("\(number)" + text), for: key("\(number)"))
    }
    var found = 0
    for number in 0..<500 {
      guard let bytes = try await storage.response(for: key("\(number)"))?.bytes else { continue }
      found += 1
      #expect(bytes == Array(("\(number)" + text).utf8))
    }
    #expect(found < 500)
  }
}
