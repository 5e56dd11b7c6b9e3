import GraphQLRuntime
import Testing

@testable import GraphClient

struct ResponseStreamTests {
  private func names(
    _ client: Graph.Client, _ policy: Graph.CachePolicy
  ) async throws -> [String?] {
    var names: [String?] = []
    for try await response in client.responses(to: shopQuery(), cachePolicy: policy) {
      names.append(response.data?.shop.name)
    }
    return names
  }

  @Test func cacheAndNetworkDeliversBothResponses() async throws {
    let transport = ScriptedTransport(.shop, .json(#"{"data":{"shop":{"name":"Boots"}}}"#))
    let client = Graph.Client.test(transport)
    #expect(try await names(client, .cacheAndNetwork) == ["Shoes"])
    #expect(try await names(client, .cacheAndNetwork) == ["Shoes", "Boots"])
    #expect(try await names(client, .cacheFirst) == ["Boots"])
    #expect(try await names(client, .networkOnly) == ["Boots"])
    #expect(try await names(client, .cacheOnly) == ["Boots"])
    #expect(transport.requests.count == 3)
  }

  /// The token may change while the caller uses the cached response.
  @Test func theRequestAfterACachedResponseHasNewHeaderFields() async throws {
    let transport = ScriptedTransport(.shop)
    let count = Box(0)
    // Not part of the cache's key.
    let provider: Graph.Client.HeaderProvider = {
      let number = count.update {
        $0 += 1
        return $0
      }
      return ["X-Request-Id": "\(number)"]
    }
    let client = Graph.Client.test(transport, source: .provider(provider))
    #expect(try await names(client, .cacheAndNetwork) == ["Shoes"])
    #expect(try await names(client, .cacheAndNetwork) == ["Shoes", "Shoes"])
    #expect(transport.requests.map { $0.headers["X-Request-Id"] } == ["1", "3"])
  }

  @Test func cacheOnlyMissIsAnError() async throws {
    await #expect(throws: Graph.QueryError.self) {
      try await names(.test(ScriptedTransport(.shop)), .cacheOnly)
    }
  }

  /// `@defer` on an inline fragment, as in the generated code of a schema that declares it.
  private func deferredQuery() -> Store.QueryRootQuery {
    Store.buildQuery { root in
      root.node(id: "1") { node in
        node.id()
        node._directive(GraphQL.Directive<Store>("defer"))
        node.onShop { $0.name() }
      }
    }
  }

  @Test func deferredFieldsArriveLater() async throws {
    let body =
      "\r\n---\r\nContent-Type: application/json\r\n\r\n"
      + #"{"data":{"node":{"__typename":"Shop","id":"1"}},"hasNext":true}"#
      + "\r\n---\r\nContent-Type: application/json\r\n\r\n"
      + #"{"incremental":[{"path":["node"],"data":{"name":"Shoes"}}],"hasNext":false}"#
      + "\r\n-----\r\n"
    let transport = ScriptedTransport(
      .json(body, type: "multipart/mixed; boundary=\"-\"; deferSpec=20220824"))
    let client = Graph.Client.test(transport)
    var seen: [String?] = []
    for try await response in client.responses(to: deferredQuery()) {
      let shop = try #require(response.data?.node as? Store.Shop)
      seen.append(shop.has(\.name) ? shop.name : nil)
    }
    #expect(seen == [nil, "Shoes"])
    #expect(
      transport.requests.first?.headers["Accept"] == """
        multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824, multipart/mixed, \
        application/graphql-response+json, application/json;q=0.9
        """)
  }

  /// The format of `incrementalSpec=v0.2`, as graphql-js 17 sends it.
  @Test func deferredFieldsArriveByIdentifier() async throws {
    let body =
      "\r\n---\r\nContent-Type: application/json\r\n\r\n"
      + #"{"data":{"node":{"__typename":"Shop","id":"1"}},"pending":[{"id":"0","path":["node"]}],"#
      + #""hasNext":true}"#
      + "\r\n---\r\nContent-Type: application/json\r\n\r\n"
      + #"{"incremental":[{"id":"0","data":{"name":"Shoes"}}],"completed":[{"id":"0"}],"#
      + #""hasNext":false}"# + "\r\n-----\r\n"
    let transport = ScriptedTransport(
      .json(body, type: "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2"))
    var seen: [String?] = []
    for try await response in Graph.Client.test(transport).responses(to: deferredQuery()) {
      let shop = try #require(response.data?.node as? Store.Shop)
      seen.append(shop.has(\.name) ? shop.name : nil)
    }
    #expect(seen == [nil, "Shoes"])
  }

  @Test func serverWithoutDeferSendsOneResponse() async throws {
    let transport = ScriptedTransport(
      .json(#"{"data":{"node":{"__typename":"Shop","id":"1","name":"Shoes"}}}"#))
    var count = 0
    for try await response in Graph.Client.test(transport).responses(to: deferredQuery()) {
      #expect((response.data?.node as? Store.Shop)?.name == "Shoes")
      count += 1
    }
    #expect(count == 1)
  }

  /// A part that the server could not defer is missing, and the reason is among the errors, in both
  /// forms.
  @Test(arguments: [
    #"""
    {"incremental":[{"path":["node"],"data":null,"errors":[{"message":"cut"}]}],"hasNext":false}
    """#,
    #"{"completed":[{"id":"0","errors":[{"message":"cut"}]}],"hasNext":false}"#,
  ])
  func aDeferredFragmentMayEndWithAnError(last: String) async throws {
    let body =
      "\r\n---\r\nContent-Type: application/json\r\n\r\n"
        + #"""
        {"data":{"node":{"__typename":"Shop","id":"1"}},"pending":[{"id":"0","path":["node"]}],
        "hasNext":true}
        """#
      + "\r\n---\r\nContent-Type: application/json\r\n\r\n\(last)\r\n-----\r\n"
    let client = Graph.Client.test(
      ScriptedTransport(.json(body, type: "multipart/mixed; boundary=\"-\"")))
    var seen: [(hasName: Bool, errors: [String])] = []
    for try await response in client.responses(to: deferredQuery()) {
      let shop = try #require(response.data?.node as? Store.Shop)
      seen.append((shop.has(\.name), response.errors.map(\.message)))
    }
    #expect(seen.map(\.hasName) == [false, false])
    #expect(seen.map(\.errors) == [[], ["cut"]])
  }

  /// A transport whose response has these payloads, each in a part.
  private func transport(_ payloads: String..., end: String = "\r\n-----\r\n") -> ScriptedTransport
  {
    let parts = payloads.map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }
    return ScriptedTransport(
      .json(parts.joined() + end, type: "multipart/mixed; boundary=\"-\""))
  }

  private static let initial = #"{"data":{"node":{"__typename":"Shop","id":"1"}},"hasNext":true}"#
  private static let deferred =
    #"{"incremental":[{"path":["node"],"data":{"name":"Shoes"}}],"hasNext":false}"#

  @Test func keepAlivesDeliverNothing() async throws {
    let client = Graph.Client.test(
      transport("{}", Self.initial, "{}", #"{"hasNext":true}"#, Self.deferred))
    var seen: [Bool] = []
    for try await response in client.responses(to: deferredQuery()) {
      seen.append((response.data?.node as? Store.Shop)?.has(\.name) ?? false)
    }
    #expect(seen == [false, true])
  }

  @Test(arguments: ["", "{}"])
  func responseWithoutAPayloadIsAnError(part: String) async throws {
    let client = Graph.Client.test(transport(part)) { $0.retryPolicy = .none }
    let error = await #expect(throws: Graph.QueryError.self) {
      for try await _ in client.responses(to: deferredQuery()) { Issue.record("a response") }
    }
    #expect(error?.code == .noData)
  }

  @Test func theLimitAppliesToAllPartsTogether() async throws {
    let client = Graph.Client.test(transport(Self.initial, Self.deferred)) {
      $0.maximumResponseBytes = Self.initial.utf8.count + 10
    }
    var count = 0
    let error = await #expect(throws: Graph.QueryError.self) {
      for try await _ in client.responses(to: deferredQuery()) { count += 1 }
    }
    #expect(count == 1 && error?.transportError?.code == .tooLarge)
  }

  /// Some servers begin each part with its delimiter, so that the last one has none after it.
  @Test func aPartIsDeliveredBeforeTheNextDelimiter() async throws {
    let client = Graph.Client.test(transport(Self.initial, Self.deferred, end: ""))
    var names: [String?] = []
    for try await response in client.responses(to: deferredQuery()) {
      let shop = try #require(response.data?.node as? Store.Shop)
      names.append(shop.has(\.name) ? shop.name : nil)
    }
    #expect(names == [nil, "Shoes"])
  }

  @Test func anotherCallNamesTheMethodForSeveralParts() async throws {
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(transport(Self.initial, Self.deferred)).query(deferredQuery())
    }
    #expect(error?.code == .unexpectedContentType)
    #expect(error?.message.contains("responses(to:)") == true)
  }

  /// The names in the rest of the responses. The iterator is a copy of the caller's.
  private func names(
    after iterator: Graph.ResponseStream<Store.QueryRoot>.Iterator
  ) async throws -> [String?] {
    var iterator = iterator
    var names: [String?] = []
    while let response = try await iterator.next(isolation: nil) {
      let shop = try #require(response.data?.node as? Store.Shop)
      names.append(shop.has(\.name) ? shop.name : nil)
    }
    return names
  }

  @Test func copiesOfAnIteratorDoNotShareTheirPosition() async throws {
    let transport = transport(Self.initial, Self.deferred)
    var iterator = Graph.Client.test(transport).responses(to: deferredQuery()).makeAsyncIterator()
    let atTheBeginning = iterator
    #expect(try await iterator.next(isolation: nil) != nil)
    #expect(try await names(after: iterator) == ["Shoes"])
    #expect(try await names(after: iterator) == ["Shoes"])
    #expect(transport.requests.count == 1)
    #expect(try await names(after: atTheBeginning) == [nil, "Shoes"])
    #expect(transport.requests.count == 2)
  }
}
