import GraphJSON
import GraphQLRuntime
import Testing

@testable import GraphClient

struct InterceptorTests {
  private struct Recorder: Graph.Interceptor {
    let name: String
    let log: Box<[String]>

    func intercept(
      _ request: Graph.OperationRequest, next: Next
    ) async throws -> Graph.OperationResponse {
      log.update { $0.append("\(name) > \(request)") }
      let response = try await next(request)
      log.update { $0.append("\(name) < \(response.status)") }
      return response
    }
  }

  /// Shows each response and its request to the test.
  private struct Spy: Graph.Interceptor {
    let see: @Sendable (Graph.OperationRequest, Graph.OperationResponse) -> Void

    func intercept(
      _ request: Graph.OperationRequest, next: Next
    ) async throws -> Graph.OperationResponse {
      let response = try await next(request)
      see(request, response)
      return response
    }
  }

  @Test func interceptorsAreCalledInNestedOrder() async throws {
    let log = Box<[String]>([])
    let client = Graph.Client.test(
      ScriptedTransport(.shop),
      interceptors: [Recorder(name: "a", log: log), Recorder(name: "b", log: log)])
    _ = try await client.query(Store.buildQuery(named: "Q") { $0.shop { $0.name() } })
    #expect(log.current == ["a > query Q", "b > query Q", "b < 200", "a < 200"])
  }

  @Test func requestsHaveTheDirectivesThatAreNotSent() async throws {
    let found = Box<[GraphQL.ClientDirective]>([])
    let spy = Spy { request, _ in found.update { $0 += request.clientDirectives } }
    let transport = ScriptedTransport(
      .json(#"{"data":{"shop":{"staff":3,"name":"Shoes","id":"1"}}}"#))
    let client = Graph.Client.test(transport, interceptors: [spy])
    _ = try await client.query(StoreStaffQuery())
    #expect(
      found.current == [
        GraphQL.ClientDirective(name: "priority", arguments: ["level": "HIGH"]),
        GraphQL.ClientDirective(
          name: "audit", path: ["shop", "staff"], arguments: ["reasons": ["count", "names"]]),
        GraphQL.ClientDirective(name: "audit", path: ["shop"], arguments: ["reasons": ["none"]]),
        GraphQL.ClientDirective(
          name: "audit", path: ["shop", "name"], arguments: ["reasons": nil]),
      ])
    let text = try #require(transport.bodies.first?["query"]?.description)
    #expect(text.contains("staff") && !text.contains("@"))
  }

  /// A server may respond differently to them.
  @Test func queriesWithDifferentExtensionsShareNoResponse() throws {
    let query = try shopQuery().operation()
    let generations = Graph.RequestGenerations(cache: 0, store: nil)
    let keys = [nil, "a", "b", "a"].map { experiment in
      var request = Graph.OperationRequest(query)
      if let experiment { request.extensions["experiment"] = .string(experiment) }
      return Graph.InFlightKey(request, stores: false, generations)
    }
    #expect(Set(keys).count == 3)
    #expect(keys[1] == keys[3])
  }

  @Test func descriptionsOfRequestsAndResponsesContainNoValues() async throws {
    let texts = Box("")
    let spy = Spy { request, response in
      texts.update { text in
        dump(request, to: &text)
        dump(response, to: &text)
        text += "\(response) \(String(reflecting: request)) \(String(reflecting: response))"
      }
    }
    let client = Graph.Client.test(
      ScriptedTransport(.json(#"{"data":{"shop":{"tags":["secret"]}}}"#)),
      headers: ["X-Key": "secret"], interceptors: [spy])
    let query = Store.buildQuery { $0.shop { $0.tags(in: "secret") } }
    let response = try await client.query(query)
    #expect(response.data?.shop.tags == ["secret"])
    #expect(texts.current.contains("status 200, data, 0 errors"))
    #expect(!texts.current.contains("secret"))
  }

  @Test func interceptorReadsResponseExtensions() async throws {
    let total = Box("")
    let spy = Spy { _, response in total.update { $0 = response.extensions?.description ?? "" } }
    let client = Graph.Client.test(
      ScriptedTransport(.json(#"{"data":null,"extensions":{"cost":7}}"#)),
      interceptors: [spy])
    _ = try await client.query(shopQuery())
    #expect(total.current == #"{"cost":7}"#)
  }

  @Test func interceptorErrorIsKeptAsTheCause() async throws {
    struct Refusal: Error {}
    struct Refusing: Graph.Interceptor {
      func prepare(_ request: Graph.OperationRequest) throws -> Graph.OperationRequest {
        throw Refusal()
      }
    }
    let error = await #expect(throws: Graph.QueryError.self) {
      try await Graph.Client.test(ScriptedTransport(.shop), interceptors: [Refusing()])
        .query(shopQuery())
    }
    #expect(error?.code == .transport && error?.cause is Refusal)
    #expect(error?.request?.kind == .query)
  }
}

struct TokenRefresherTests {
  /// Accepts one token and refuses others.
  private func server(
    valid: Box<String>, refusal: Graph.HTTPResponse
  ) -> ScriptedTransport {
    ScriptedTransport { request in
      request.headers["Authorization"] == "Bearer \(valid.current)" ? .shop : refusal
    }
  }

  private func refresher(_ count: Box<Int>, valid: Box<String>) -> Graph.TokenRefresher {
    Graph.TokenRefresher(token: "old") {
      count.update { $0 += 1 }
      await Task.yield()
      return valid.current
    }
  }

  /// The next query has the new token, so the response is stored for it.
  @Test func theResponseAfterARefreshIsInTheCache() async throws {
    let valid = Box("new")
    let transport = server(valid: valid, refusal: .json("", status: 401, type: nil))
    let client = Graph.Client.test(
      transport, cachePolicy: .cacheFirst,
      interceptors: [AddingTrace(), refresher(Box(0), valid: valid)])
    #expect(try await client.query(shopQuery()).source == .network)
    #expect(try await client.query(shopQuery(), cachePolicy: .cacheOnly).data?.shop.name == "Shoes")
    #expect(transport.requests.map { $0.headers["X-Trace"] } == ["1", "1"])
  }

  @Test(arguments: [
    Graph.HTTPResponse.json("", status: 401, type: nil),
    .json(#"{"errors":[{"message":"who?"}]}"#, status: 401),
    .json(#"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#),
  ])
  func aRefusedTokenIsRefreshedOnce(refusal: Graph.HTTPResponse) async throws {
    let valid = Box("new")
    let count = Box(0)
    let client = Graph.Client.test(
      server(valid: valid, refusal: refusal), interceptors: [refresher(count, valid: valid)]
    ) { $0.sharesEqualQueries = false }
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<50 {
        group.addTask { try await client.query(shopQuery()).data?.shop.name }
      }
      for try await name in group { #expect(name == "Shoes") }
    }
    #expect(count.current == 1)
  }

  @Test func tokenRefusedAfterARefreshIsNotRefreshedAgain() async throws {
    let count = Box(0)
    let transport = ScriptedTransport(.json("", status: 401, type: nil))
    let client = Graph.Client.test(
      transport, interceptors: [refresher(count, valid: Box("new"))])
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(transport.requests.count == 2 && count.current == 1)
  }

  @Test func cacheScopeDependsOnTheToken() async throws {
    let valid = Box("old")
    let transport = server(valid: valid, refusal: .json("", status: 401, type: nil))
    let refresher = refresher(Box(0), valid: valid)
    let client = Graph.Client.test(
      transport, cachePolicy: .cacheFirst, interceptors: [refresher])
    let request = try await client.prepare(.init(try shopQuery().operation()))
    let plain = try shopQuery().operation()
    #expect(
      Graph.CacheKey(request, endpoint: .endpoint).scope
        != Graph.CacheKey(.init(plain), endpoint: .endpoint).scope)
  }

  /// As by the close code of a web socket.
  @Test func aTokenThatIsRefusedWithoutARequestIsRefreshedOnce() async throws {
    let valid = Box("new")
    let count = Box(0)
    let transport = server(valid: valid, refusal: .json("", status: 401, type: nil))
    let refresher = refresher(count, valid: valid)
    let client = Graph.Client.test(transport, interceptors: [refresher])
    await refresher.refuse(["Authorization": "Bearer other"])
    await refresher.refuse([:])
    #expect(await refresher.refused == nil)
    for _ in 1...2 { await refresher.refuse(["authorization": "Bearer old"]) }
    _ = try await client.query(shopQuery())
    await refresher.refuse(["authorization": "Bearer old"])
    _ = try await client.query(shopQuery())
    #expect(count.current == 1 && transport.requests.count == 2)
  }

  /// The server may accept the token for requests.
  @Test func aRefusedTokenIsSentIfThereIsNoOther() async throws {
    let refresher = Graph.TokenRefresher(token: "old") {
      throw Graph.TransportError(.cannotConnect, message: "nobody listens")
    }
    let transport = ScriptedTransport(.shop)
    let client = Graph.Client.test(transport, interceptors: [refresher])
    await refresher.refuse(["Authorization": "Bearer old"])
    await #expect(throws: Graph.QueryError.self) { try await client.query(shopQuery()) }
    #expect(try await client.query(shopQuery()).data?.shop.name == "Shoes")
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer old"])
  }

  @Test func partlyExecutedMutationIsNotRetried() async throws {
    let transport = ScriptedTransport(
      .json(
        #"""
        {"data":{"rename":null},
        "errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}
        """#))
    let client = Graph.Client.test(
      transport, interceptors: [refresher(Box(0), valid: Box("new"))])
    _ = try await client.mutate(renameMutation())
    #expect(transport.requests.count == 1)
  }
}

/// Adds a header field to each attempt, which the next prepared request does not have.
private struct AddingTrace: Graph.Interceptor {
  func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    var request = request
    request.headers["X-Trace"] = "1"
    return try await next(request)
  }
}
