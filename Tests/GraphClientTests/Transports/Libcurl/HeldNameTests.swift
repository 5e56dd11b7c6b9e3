#if !canImport(Darwin)
  import Foundation
  import TestSupport
  import Loopback
  import Testing

  @testable import GraphClient

  /// Names are not resolved until it exists.
  private let heldNamesFile = ProcessInfo.processInfo.environment["HELD_NAMES_UNTIL"]

  /// Requests to a host whose name is not resolved; see `Tests/run names`.
  @Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: heldNamesFile != nil, "needs names that are held; run Tests/run names"))
  struct HeldNameTests {
    @Test func unresolvedNameDelaysOnlyItsOwnRequest() async throws {
      let transport = Graph.CurlTransport()
      let held = try #require(URL(string: "http://a.held.test/graphql"))
      let server = try LoopbackServer { _, connection in connection.response(body: "here") }

      // A deadline of the whole request, and one of the connection.
      var request = Graph.HTTPRequest(url: held, timeout: .milliseconds(50))
      try await expect(.timedOut) { try await transport.send(request) }
      request.timeout = nil
      request.connectTimeout = .milliseconds(50)
      try await expect(.timedOut) { try await transport.send(request) }

      // Cancellation.
      request.connectTimeout = nil
      let task = Task { [request] in try await transport.send(request) }
      for _ in 0..<20 {
        let response = try await transport.send(.init(url: server.url()))
        #expect(try await response.body.text() == "here")
      }
      task.cancel()
      try await expect(.cancelled) { try await task.value }

      // A request that waits until the name is known not to exist.
      let waiting = Task { [request] in try await transport.send(request) }
      let file = try #require(heldNamesFile)
      try Data().write(to: URL(fileURLWithPath: file))
      try await expect(.cannotConnect) { try await waiting.value }
      let response = try await transport.send(.init(url: server.url()))
      #expect(try await response.body.text() == "here")
      try FileManager.default.removeItem(atPath: file)
    }

    @Test func transportIsReleasedDuringNameResolution() async throws {
      let held = try #require(URL(string: "http://b.held.test/graphql"))
      let request = Graph.HTTPRequest(url: held, timeout: .milliseconds(20))
      for _ in 0..<10 {
        try await expect(.timedOut) { try await Graph.CurlTransport().send(request) }
      }
    }

    private func expect(
      _ code: Graph.TransportError.Code, _ body: () async throws -> Graph.HTTPResponse
    ) async throws {
      let error = await #expect(throws: Graph.TransportError.self) { _ = try await body() }
      #expect(error?.code == code)
      if code != .cancelled { #expect(error?.bytesSent == false) }
    }
  }

  /// Proxies from the environment; see `Tests/run names`.
  @Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: heldNamesFile != nil, "changes the environment; run Tests/run names"))
  struct ProxyTests {
    @Test func requestsUseTheProxyOfTheEnvironment() async throws {
      let proxy = try LoopbackServer { request, connection in
        connection.response(body: request.target)
      }
      setenv("http_proxy", "http://127.0.0.1:\(try #require(proxy.url().port))", 1)
      setenv("no_proxy", "direct.test,127.0.0.1", 1)
      defer {
        unsetenv("http_proxy")
        unsetenv("no_proxy")
      }
      let transport = Graph.CurlTransport()
      let response = try await transport.send(
        .init(url: try #require(URL(string: "http://shop.test/graphql"))))
      #expect(try await response.body.text() == "http://shop.test/graphql")
      let server = try LoopbackServer { _, connection in connection.response(body: "direct") }
      let direct = try await transport.send(.init(url: server.url()))
      #expect(try await direct.body.text() == "direct")
    }

    @Test(arguments: ["403 Forbidden", "502 Bad Gateway", "407 Proxy Authentication Required"])
    func refusedProxyConnectionSendsNoRequest(status: String) async throws {
      let proxy = try LoopbackServer { _, connection in connection.response(status) }
      setenv("https_proxy", "http://127.0.0.1:\(try #require(proxy.url().port))", 1)
      defer { unsetenv("https_proxy") }
      let error = await #expect(throws: Graph.TransportError.self) {
        try await Graph.CurlTransport().send(
          .init(
            url: try #require(URL(string: "https://shop.test/graphql")), body: .bytes([1, 2, 3])))
      }
      #expect(error?.code == .cannotConnect && error?.bytesSent == false)
      #expect(proxy.requests.map(\.method) == ["CONNECT"])
    }

    /// libcurl reads the whole response with which a proxy refuses, without a pause for other
    /// requests.
    @Test func endlessProxyResponseDoesNotBlockOtherRequests() async throws {
      let gone = Box(0)
      let block = [UInt8](repeating: 0x61, count: 1 << 20)
      let proxy = try LoopbackServer { _, connection in
        connection.write(
          "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: \(1 << 50)\r\n\r\n")
        while connection.write(block) {}
        gone.update { $0 += 1 }
      }
      setenv("https_proxy", "http://127.0.0.1:\(try #require(proxy.url().port))", 1)
      defer { unsetenv("https_proxy") }
      let server = try LoopbackServer { _, connection in connection.response(body: "here") }
      let transport = Graph.CurlTransport()
      try await withThrowingTaskGroup { group in
        for number in 0..<3 {
          let flooded = Graph.HTTPRequest(
            url: try #require(URL(string: "https://\(number).shop.test/graphql")),
            body: .bytes([1, 2, 3]), timeout: .seconds(1))
          group.addTask {
            let error = await #expect(throws: Graph.TransportError.self) {
              try await transport.send(flooded)
            }
            #expect(error?.bytesSent == false)
          }
        }
        for _ in 0..<20 {
          group.addTask {
            let response = try await transport.send(.init(url: server.url()))
            #expect(try await response.body.text() == "here")
          }
        }
        try await group.waitForAll()
      }
      try await wait { gone.current == proxy.requests.count }
      #expect(gone.current > 0)
      let response = try await transport.send(.init(url: server.url()))
      #expect(try await response.body.text() == "here")
    }

    @Test func unreachableProxyIsAConnectionError() async throws {
      let port = try ClosedPort()
      defer { withExtendedLifetime(port) {} }
      setenv("http_proxy", port.url.absoluteString, 1)
      defer { unsetenv("http_proxy") }
      let error = await #expect(throws: Graph.TransportError.self) {
        try await Graph.CurlTransport().send(
          .init(url: try #require(URL(string: "http://shop.test/graphql"))))
      }
      #expect(error?.code == .cannotConnect && error?.bytesSent == false)
    }
  }
#endif
