import Foundation
import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct ResponseCacheTests {
  private let boots = Graph.HTTPResponse.json(#"{"data":{"shop":{"name":"Boots"}}}"#)
  private let down: ScriptedTransport.Response = { _ in
    throw Graph.TransportError(.cannotConnect, message: "no network")
  }

  @Test func cacheFirstSendsOneRequest() async throws {
    let transport = ScriptedTransport(.shop, boots)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    #expect(try await client.query(shopQuery()).source == .network)
    let stored = try await client.query(shopQuery())
    #expect(stored.data?.shop.name == "Shoes" && stored.source == .cache(age: .zero))
    #expect(transport.requests.count == 1)
  }

  /// One call has read the cache before the response to the other was stored, and continues after
  /// that.
  @Test func lateEqualQueryUsesTheStoredResponse() async throws {
    let storage = LateStorage()
    let transport = ScriptedTransport(.shop, boots)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst) { $0.storage = storage }
    async let late = client.query(shopQuery())
    for await _ in storage.lookups { break }
    #expect(try await client.query(shopQuery()).source == .network)
    storage.letGo.yield()
    #expect(try await late.data?.shop.name == "Shoes")
    #expect(try await late.source == .cache(age: .zero))
    #expect(transport.requests.count == 1)
  }

  @Test func cacheFirstResponsesExpire() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(.shop, boots)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst(expireIn: 20), time: time)
    _ = try await client.query(shopQuery())
    time.advance(by: .seconds(19))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    time.advance(by: .seconds(1))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Boots")
  }

  @Test func timeToLiveSurvivesClockJumps() async throws {
    let time = ManualTime()
    let transport = ScriptedTransport(.shop, boots)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst(expireIn: 20), time: time)
    _ = try await client.query(shopQuery())
    time.jump(by: .seconds(86_400))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    time.jump(by: .seconds(-2 * 86_400))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    time.advance(by: .seconds(21))
    #expect(try await client.query(shopQuery()).data?.shop.name == "Boots")
  }

  @Test func computesAgesAcrossReboots() {
    let time = ManualTime()
    let stored = time.now
    time.reboot(downFor: .seconds(60))
    #expect(stored.age(at: time.now) == .seconds(60))
    time.jump(by: .seconds(-45))
    // The clock shows 15 seconds, but this boot alone is older.
    #expect(stored.age(at: time.now) == .seconds(30))
    time.jump(by: .seconds(-100))
    #expect(stored.age(at: time.now) == nil)
  }

  @Test func cachedResponseContainsTheNetworkError() async throws {
    let isDown = Box(false)
    let transport = ScriptedTransport { [down] request in
      isDown.current ? try await down(request) : .shop
    }
    let client = Graph.Client.test(transport, cachePolicy: .networkFirst(expireIn: 100)) {
      $0.retryPolicy = .none
    }
    _ = try await client.query(shopQuery())
    isDown.update { $0 = true }
    let response = try await client.query(shopQuery())
    #expect(response.data?.shop.name == "Shoes")
    let cause = try #require(response.networkError?.transportError)
    #expect(cause.code == .cannotConnect)
    #expect(response.error != nil)
  }

  @Test func networkFirstWithoutAStoredResponseFails() async throws {
    let client = Graph.Client.test(ScriptedTransport(down), cachePolicy: .networkFirst) {
      $0.retryPolicy = .none
    }
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
  }

  @Test func cacheOnlyMissIsAnError() async throws {
    let transport = ScriptedTransport(.shop)
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport).query(shopQuery(), cachePolicy: .cacheOnly)
    }
    #expect(error?.code == .cacheMiss)
    #expect(transport.requests.isEmpty)
  }

  @Test func cachePolicyMayHaveAnExpiration() {
    let client = Graph.Client.test(ScriptedTransport(.shop))
    client.cachePolicy = .cacheFirst
    #expect(client.cachePolicy == .cacheFirst)
    client.cachePolicy = .cacheFirst(expireIn: 20)
    #expect(client.cachePolicy.description == "cacheFirst(expireIn: 20)")
  }

  @Test func aClientThatDoesNotCacheStoresNothing() async throws {
    let storage = Graph.MemoryStorage()
    let client = Graph.Client.test(ScriptedTransport(.shop)) { $0.storage = storage }
    _ = try await client.query(shopQuery())
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), cachePolicy: .cacheOnly)
    }
  }

  @Test func networkOnlyRefreshesACachingClient() async throws {
    let client = Graph.Client.test(ScriptedTransport(.shop, boots), cachePolicy: .cacheFirst)
    _ = try await client.query(shopQuery())
    _ = try await client.query(shopQuery(), cachePolicy: .networkOnly)
    #expect(try await client.query(shopQuery()).data?.shop.name == "Boots")
  }

  @Test func sensitiveTypesAreNeverStored() async throws {
    let transport = ScriptedTransport { request in
      request.json["query"]?.description.contains("customer") == true
        ? .json(#"{"data":{"customer":{"email":"a@b.c"}}}"#)
        : .json(#"{"data":{"node":{"__typename":"Customer","id":"1"}}}"#)
    }
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    for _ in 0..<2 {
      _ = try await client.query(Store.buildQuery { $0.customer { $0.email() } })
      _ = try await client.query(Store.buildQuery { $0.node(id: "1") { $0.id() } })
    }
    #expect(transport.requests.count == 4)
  }

  @Test func unreadableStoredResponseIsAMiss() async throws {
    let storage = Graph.MemoryStorage()
    let transport = ScriptedTransport(boots)
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst) { $0.storage = storage }
    let request = try await client.prepare(.init(try shopQuery().operation()))
    let key = Graph.CacheKey(request, endpoint: .endpoint)
    storage.store(.init(bytes: Array(#"{"data":{"shop":{}}}"#.utf8), storedAt: .now), for: key)
    #expect(try await client.query(shopQuery()).data?.shop.name == "Boots")
  }

  @Test func responseArrivingAfterAPurgeIsNotStored() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (gate, opened) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _ in
      arrived.yield()
      for await _ in gate { break }
      return .shop
    }
    let client = Graph.Client.test(transport, cachePolicy: .cacheFirst)
    async let response = client.query(shopQuery())
    for await _ in arrivals { break }
    try await client.purge()
    opened.yield()
    #expect(try await response.data != nil)
    await #expect(throws: Graph.QueryError.self) {
      try await client.query(shopQuery(), cachePolicy: .cacheOnly)
    }
  }
}

/// A storage that returns the first lookup late, with its initial content.
private struct LateStorage: Graph.ResponseStorage {
  let lookups: AsyncStream<Void>
  let letGo: AsyncStream<Void>.Continuation
  private let memory = Graph.MemoryStorage()
  private let lookedUp: AsyncStream<Void>.Continuation
  private let gate: AsyncStream<Void>
  private let isFirst = Box(true)

  init() {
    (lookups, lookedUp) = AsyncStream<Void>.makeStream()
    (gate, letGo) = AsyncStream<Void>.makeStream()
  }

  func response(for key: Graph.CacheKey) async -> Graph.CachedResponse? {
    let found = memory.response(for: key)
    let isFirst = self.isFirst.update { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if isFirst {
      lookedUp.yield()
      for await _ in gate { break }
    }
    return found
  }

  func store(_ response: Graph.CachedResponse, for key: Graph.CacheKey) {
    memory.store(response, for: key)
  }

  func remove(_ key: Graph.CacheKey) { memory.remove(key) }
  func removeAll() { memory.removeAll() }
}

struct CacheKeyTests {
  private func key(
    headers: Graph.Headers = [:], endpoint: URL = .endpoint,
    query: Store.QueryRootQuery = shopQuery()
  ) throws -> Graph.CacheKey {
    Graph.CacheKey(.init(try query.operation(), headers: headers), endpoint: endpoint)
  }

  @Test func keyDependsOnHeadersEndpointAndOperation() throws {
    let plain = try key()
    #expect(try key() == plain)
    let others = [
      try key(headers: ["Authorization": "a"]), try key(headers: ["Authorization": "b"]),
      try key(headers: ["Cookie": "a"]), try key(headers: ["X-Any-Key": "a"]),
      try key(headers: ["Accept-Language": "de"]),
      try key(endpoint: #require(URL(string: "https://other.example/graphql"))),
      try key(query: Store.buildQuery { $0.shop { $0.id() } }),
      try key(query: Store.buildQuery { $0.shop { $0.tags(in: "de") } }),
      try key(query: Store.buildQuery { $0.shop { $0.tags(in: "fr") } }),
    ]
    #expect(Set(others.map(\.name) + [plain.name]).count == others.count + 1)
  }

  @Test func identitiesAndEndpointsHaveSeparateDirectories() throws {
    let scopes = [
      try key(), try key(headers: ["Authorization": "a"]), try key(headers: ["Authorization": "b"]),
      try key(endpoint: #require(URL(string: "https://other.example/graphql"))),
    ].map(\.scope)
    #expect(Set(scopes).count == 4)
    #expect(scopes.allSatisfy { !$0.contains("/") && $0.count == 64 })
    #expect(try key(headers: ["Accept-Language": "de"]).scope == scopes[0])
  }

  @Test func keyDependsOnExtensionsThatMayChangeTheResponse() throws {
    func key(_ extensions: JSON.Object) throws -> Graph.CacheKey {
      var request = Graph.OperationRequest(try shopQuery().operation())
      request.extensions = extensions
      return Graph.CacheKey(request, endpoint: .endpoint)
    }
    #expect(try key(["preview": true]) != key([:]))
    #expect(try key(["preview": true]) != key(["preview": false]))
    #expect(try key(["clientLibrary": ["version": "2"], "persistedQuery": 1]) == key([:]))
  }

  @Test func keyIgnoresIrrelevantHeaderFields() throws {
    #expect(try key(headers: ["X-Request-Id": "1", "Accept": "a"]) == key())
  }
}
