import Foundation
import GraphQLRuntime
import Testing

@testable import GraphClient

/// Header fields of a transport.
struct TransportHeaderTests {
  private func prepared(
    _ client: Graph.Client, overHTTP: Bool = true
  ) async throws -> Graph.Headers {
    try await client.prepare(.init(try shopQuery().operation()), overHTTP: overHTTP).headers
  }

  @Test func cacheAndInFlightKeysDependOnTransportHeaders() async throws {
    let transport = ScriptedTransport(additionalHeaders: ["X-User": "ada"]) { _ in .shop }
    let request = try await Graph.Client.test(transport)
      .prepare(.init(try shopQuery().operation()))
    let plain = try await Graph.Client.test(ScriptedTransport(.shop))
      .prepare(.init(try shopQuery().operation()))
    #expect(
      Graph.CacheKey(request, endpoint: .endpoint).scope
        != Graph.CacheKey(plain, endpoint: .endpoint).scope)
    let generations = Graph.RequestGenerations(cache: 0, store: nil)
    #expect(
      Graph.InFlightKey(request, stores: false, generations)
        != Graph.InFlightKey(plain, stores: false, generations))
  }

  /// Two tokens that Unicode calls equivalent are those of two users.
  @Test func transportHeadersAreComparedByTheirBytes() async throws {
    let generations = Graph.RequestGenerations(cache: 0, store: nil)
    var keys: Set<Graph.InFlightKey> = []
    for user in ["caf\u{E9}", "cafe\u{301}"] {
      let transport = ScriptedTransport(additionalHeaders: ["X-User": user]) { _ in .shop }
      let request = try await Graph.Client.test(transport)
        .prepare(.init(try shopQuery().operation()))
      keys.insert(Graph.InFlightKey(request, stores: false, generations))
    }
    #expect(keys.count == 2)
  }

  @Test func clientHeadersOverrideTransportHeaders() async throws {
    let transport = ScriptedTransport(
      additionalHeaders: ["X-User": "ada", "Accept-Language": "de", "X-App": "shoes"]
    ) { _ in .shop }
    let client = Graph.Client.test(transport, headers: ["x-user": "eve"]) { $0.language = "fr" }
    let headers = try await prepared(client)
    #expect(headers.values(of: "X-User") == ["eve"])
    #expect(headers["Accept-Language"] == "fr")
    #expect(headers["X-App"] == "shoes")
    #expect(try await prepared(.test(transport))["Accept-Language"] == "de")
  }

  /// A web socket does not use the transport, and may connect to another host.
  @Test func webSocketsDoNotUseTransportHeaders() async throws {
    let transport = ScriptedTransport(additionalHeaders: ["X-User": "ada"]) { _ in .shop }
    let client = Graph.Client.test(transport, headers: ["X-App": "shoes"])
    let headers = try await prepared(client, overHTTP: false)
    #expect(headers["X-User"] == nil && headers["X-App"] == "shoes")
  }
}

struct RedirectPolicyTests {
  private func next(
    _ policy: Graph.RedirectPolicy, from source: String, to location: String,
    body: Graph.HTTPRequest.Body = .bytes([1])
  ) throws -> Graph.HTTPRequest? {
    let source = try #require(URL(string: source))
    let request = Graph.HTTPRequest(
      url: source, headers: ["Authorization": "t", "Accept": "a"], body: body)
    let response = Graph.HTTPResponse(
      status: 307, headers: ["Location": location], url: source, body: .init([]))
    return try policy.next(after: response, to: request)
  }

  @Test(arguments: [
    "https://b.test/x", "https://a.test:8443/x", "//b.test", "https://a.test.b.test/",
  ])
  func refusesToRedirectOperationsToAnotherOrigin(location: String) throws {
    let error = #expect(throws: Graph.TransportError.self) {
      try next(.standard, from: "https://a.test/graphql", to: location)
    }
    #expect(error?.code == .redirectRefused)
  }

  @Test(arguments: ["https://b.test", "HTTPS://B.test:443/any/path", "https://b.test/"])
  func anOriginMayBeAllowed(origin: String) throws {
    let policy = Graph.RedirectPolicy(maximumCount: 1, operationOrigins: ["no address", origin])
    let request = try #require(
      try next(policy, from: "https://a.test/graphql", to: "https://b.test/x"))
    #expect(request.url.absoluteString == "https://b.test/x")
    #expect(request.headers["Authorization"] == nil && request.headers["Accept"] == "a")
    guard case .bytes([1]) = request.body else {
      Issue.record("the body is different")
      return
    }
    // Only the allowed one.
    #expect(throws: Graph.TransportError.self) {
      try next(policy, from: "https://a.test/graphql", to: "https://c.test/x")
    }
  }

  @Test func refusesRedirectsFromHTTPSToHTTP() throws {
    let policy = Graph.RedirectPolicy(maximumCount: 1, operationOrigins: ["http://a.test"])
    for body in [Graph.HTTPRequest.Body.none, .bytes([1])] {
      let error = #expect(throws: Graph.TransportError.self) {
        try next(policy, from: "https://a.test/", to: "http://a.test/", body: body)
      }
      #expect(error?.code == .redirectRefused)
    }
  }

  @Test func redirectsWithinAnOriginKeepCredentials() throws {
    let request = try #require(
      try next(.standard, from: "https://a.test/graphql", to: "https://A.test:443/moved"))
    #expect(request.headers["Authorization"] == "t")
  }
}
