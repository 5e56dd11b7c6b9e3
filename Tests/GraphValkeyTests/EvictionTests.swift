import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphValkey

/// Servers whose memory is full. That costs speed, and nothing else.
@Suite(.needsServer, .timeLimit(.minutes(2))) struct EvictionTests {
  private let any: @Sendable (Graph.CachedResponse) -> Bool = { _ in true }

  private func body(_ number: Int, of scope: Int) -> String {
    "\(scope)/\(number) " + String(repeating: "x", count: 4000)
  }

  @Test func evictedResponsesAreMissingAndOthersAreTheirOwn() async throws {
    let server = try await ValkeyServer(
      ["--maxmemory", "4mb", "--maxmemory-policy", "allkeys-lru"])
    let valkey = try server.client()
    let storage = Graph.ValkeyStorage(valkey)
    for number in 0..<300 {
      for scope in 0..<5 {
        let key = key("\(number)", scope: "\(scope)")
        try await storage.store(response(body(number, of: scope)), for: key)
      }
    }
    let statistics = try await valkey.run("INFO", "stats").text ?? ""
    #expect(!statistics.contains("evicted_keys:0\r"))
    var foundCount = 0
    for number in 0..<300 {
      for scope in 0..<5 {
        let key = key("\(number)", scope: "\(scope)")
        guard let found = try await storage.response(for: key) else { continue }
        foundCount += 1
        #expect(found.bytes == response(body(number, of: scope)).bytes)
      }
    }
    #expect(foundCount > 0 && foundCount < 1500)
  }

  /// An evicted generation does not bring back what was removed.
  @Test func removedResponsesStayRemovedWithoutTheirGenerations() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client())
    let keys = storage.keys
    for generation in [keys.all, keys.scope("scope")] {
      try await storage.store(response("old"), for: key("a"))
      try await storage.removeAll(ofScope: "scope")
      try await storage.removeAll()
      try await storage.valkey.run("DEL", generation)
      #expect(try await storage.response(for: key("a")) == nil)
      // A new generation is another one.
      try await storage.store(response("new"), for: key("b"))
      #expect(try await storage.response(for: key("a")) == nil)
      #expect(try await storage.response(for: key("b"))?.bytes == response("new").bytes)
    }
  }

  /// A response whose request began before a removal is not stored, also if the generation is evicted meanwhile.
  @Test func lateResponsesAreNotStoredWithoutTheirGenerations() async throws {
    let server = try await ValkeyServer()
    let storage = Graph.ValkeyStorage(try server.client())
    for generation in [storage.keys.all, storage.keys.scope("scope")] {
      let outcome = try await storage.lease(for: key("a"), within: nil, unless: any)
      guard case .granted(let lease) = outcome else {
        Issue.record("there is no lease")
        return
      }
      try await storage.removeAll()
      try await storage.removeAll(ofScope: "scope")
      try await storage.valkey.run("DEL", generation)
      try await lease.store(response("old"))
      #expect(try await storage.response(for: key("a")) == nil)
    }
  }

  @Test func aFullServerRefusesWithoutHarm() async throws {
    let server = try await ValkeyServer()
    let valkey = try server.client()
    let storage = Graph.ValkeyStorage(valkey)
    try await storage.store(response("1"), for: key("a"))
    try await valkey.run("CONFIG", "SET", "maxmemory", "1")
    await #expect(throws: Graph.ValkeyError.self) {
      try await storage.store(response("2"), for: key("a"))
    }
    #expect(try await storage.response(for: key("a"))?.bytes == response("1").bytes)
    await #expect(throws: Graph.ValkeyError.self) {
      try await storage.lease(for: key("b"), within: nil, unless: any)
    }
    try await storage.removeAll()
    #expect(try await storage.response(for: key("a")) == nil)
    let limiter = Graph.ValkeyRateLimiter(
      valkey, budget: Graph.RateBudget(capacity: 10, available: 10, refill: .perSecond(1)))
    let request = Graph.RateRequest(scope: "scope", operationName: nil, cost: 1)
    #expect(await limiter.reserve(request, within: nil) == .granted(after: .zero))
    try await storage.remove(key("a"))
    try await valkey.run("CONFIG", "SET", "maxmemory", "0")
    try await storage.store(response("3"), for: key("a"))
    #expect(try await storage.response(for: key("a"))?.bytes == response("3").bytes)
  }
}
