import Foundation
import GraphQLRuntime
import Loopback
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Transports and clients with a session of the caller.
@Suite(.timeLimit(.minutes(5)))
struct CustomURLSessionTests {
  @Test func usesSessionHeadersButStoresNoCookies() async throws {
    let server = try LoopbackServer { _, connection in
      connection.response("200 OK", ["Set-Cookie: id=1; Path=/"], body: "hello")
    }
    let configuration = URLSessionConfiguration.default
    configuration.httpAdditionalHeaders = ["X-App": "shoes"]
    let transport = Graph.URLSessionTransport(session: URLSession(configuration: configuration))
    for _ in 0..<2 {
      let response = try await transport.send(.init(method: .get, url: server.url()))
      #expect(try await response.body.text() == "hello")
    }
    #expect(server.requests.map { $0.headers["x-app"] } == ["shoes", "shoes"])
    // Except the settings that would store parts of a response.
    #expect(server.requests.last?.headers["cookie"] == nil)
  }

  /// Header fields of a session identify the user like those of a client.
  @Test func sessionHeadersArePartOfTheCacheKey() async throws {
    let server = try LoopbackServer { request, connection in
      let name = request.headers["x-user"] ?? "nobody"
      connection.response(
        "200 OK", ["Content-Type: application/json"],
        body: #"{"data":{"shop":{"name":"\#(name)"}}}"#)
    }
    let storage = Graph.MemoryStorage()
    func client(_ fields: [String: String], _ headers: Graph.Headers = [:]) -> Graph.Client {
      let session = URLSessionConfiguration.ephemeral
      session.httpAdditionalHeaders = fields
      var configuration = Graph.ClientConfiguration()
      configuration.storage = storage
      return Graph.Client(
        endpoint: server.url(), headers: headers,
        transport: Graph.URLSessionTransport(configuration: session), cachePolicy: .cacheFirst,
        configuration: configuration)
    }
    for user in ["ada", "bob", "ada"] {
      let response = try await client(["X-User": user]).query(shopQuery())
      #expect(response.data?.shop.name == user)
    }
    #expect(server.requests.count == 2)
    // A field of the client replaces the session's.
    let response = try await client(["X-User": "ada"], ["x-user": "eve"]).query(shopQuery())
    #expect(response.data?.shop.name == "eve")
    #expect(server.requests.last?.headers["x-user"] == "eve")
    // The client's fields about the form of the request prevail.
    _ = try await client(["Accept": "text/html", "X-User": "zoe"]).query(shopQuery())
    #expect(server.requests.last?.headers["accept"] == Graph.MediaType.accept)
  }

  @Test func invalidSessionHeadersAreRejected() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "a\r\nX-Other: b"]
    let error = await #expect(throws: Graph.TransportError.self) {
      try await Graph.URLSessionTransport(configuration: configuration)
        .send(.init(method: .get, url: server.url()))
    }
    #expect(error?.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func sessionDelegateHandlesAuthenticationChallenges() async throws {
    let server = try LoopbackServer { request, connection in
      if request.headers["authorization"] == nil {
        connection.response(
          "401 Unauthorized", ["WWW-Authenticate: Basic realm=\"shop\""], body: "who?")
      } else {
        connection.response("200 OK", body: "hello")
      }
    }
    let password = Password()
    let session = URLSession(configuration: .ephemeral, delegate: password, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var request = Graph.HTTPRequest(method: .get, url: server.url())
    request.wholeResponseLimit = 1 << 20
    let response = try await Graph.URLSessionTransport(session: session).send(request)
    #expect(response.status == 200)
    #expect(try await response.body.text() == "hello")
    let credentials = Data("ada:secret".utf8).base64EncodedString()
    #expect(server.requests.map { $0.headers["authorization"] } == [nil, "Basic \(credentials)"])
    #expect(password.challenges.current == ["shop"])
  }

  @Test func challengeWithoutADelegateReturnsStatus401() async throws {
    let server = try LoopbackServer { _, connection in
      connection.response("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"shop\""], body: "?")
    }
    let transport = Graph.URLSessionTransport(session: URLSession(configuration: .ephemeral))
    let response = try await transport.send(.init(method: .get, url: server.url()))
    #expect(response.status == 401)
    #expect(try await response.body.text() == "?")
    #expect(server.requests.count == 1)
  }
}

/// Responds to every challenge with the same credential.
private final class Password: NSObject, URLSessionTaskDelegate, Sendable {
  let challenges = Box<[String?]>([])

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let realm = challenge.protectionSpace.realm
    challenges.update { $0.append(realm) }
    completionHandler(
      .useCredential, URLCredential(user: "ada", password: "secret", persistence: .none))
  }
}
