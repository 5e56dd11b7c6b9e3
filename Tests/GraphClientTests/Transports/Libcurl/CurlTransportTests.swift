#if !canImport(Darwin)
  import Foundation
  import Loopback
  import TestSupport
  import Testing

  @testable import GraphClient

  /// Tests for libcurl only; see `TransportTests` for the rest.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlTransport.isAvailable, "no libcurl"))
  struct CurlTransportTests {
    @Test func repeatedHeaderFieldsAreSentSeparately() async throws {
      let heads = Box<[String]>([])
      let listener = try LoopbackListener { connection in
        let head = connection.read(through: Array("\r\n\r\n".utf8)) ?? []
        heads.update { $0.append(String(decoding: head, as: UTF8.self)) }
        connection.response()
      }
      var headers: Graph.Headers = ["X-A": "1", "X-B": ""]
      headers.add(name: "x-a", value: "3")
      _ = try await Graph.CurlTransport().send(.init(url: listener.url(), headers: headers))
      let lines = try #require(heads.current.first).components(separatedBy: "\r\n")
      #expect(lines.filter { $0.lowercased().hasPrefix("x-") } == ["X-A: 1", "X-B:", "x-a: 3"])
      #expect(!lines.contains { $0.hasPrefix("Expect") || $0.hasPrefix("Content-Type") })
    }

    @Test func credentialsAreNotRedirectedToAnotherOrigin() async throws {
      let other = try LoopbackServer { _, connection in connection.response(body: "other") }
      let server = try LoopbackServer { _, connection in
        connection.response("308 Permanent Redirect", ["Location: \(other.url())"])
      }
      var configuration = Graph.CurlConfiguration()
      configuration.redirects.operationOrigins = [other.url("/").absoluteString]
      let response = try await Graph.CurlTransport(configuration: configuration).send(
        .init(
          url: server.url(),
          headers: [
            "Authorization": "secret", "X-Api-Key": "secret", "Accept": "application/json",
          ],
          body: .bytes([1])))
      #expect(try await response.body.text() == "other")
      let headers = try #require(other.requests.first?.headers)
      #expect(headers["accept"] == "application/json")
      #expect(!headers.values.contains("secret"))
    }

    @Test func missingLibcurlFailsBeforeSending() async throws {
      let transport = Graph.CurlTransport(
        library: Graph.CurlLibrary(["libnosuchthing.so.4"]), configuration: .init())
      let error = await #expect(throws: Graph.TransportError.self) {
        try await transport.send(.init(url: try #require(URL(string: "http://127.0.0.1:1/"))))
      }
      #expect(error?.code == .unsupported && error?.bytesSent == false)
    }

    /// A proxy on the same machine that listens at a path.
    @Test func connectsThroughAUnixDomainSocket() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appendingPathComponent("socket").path
      let listener = try LoopbackListener(path: path) { connection in
        while connection.read(through: Array("\r\n\r\n".utf8)) != nil {
          connection.response(body: "by path")
        }
      }
      defer { withExtendedLifetime(listener) {} }
      var configuration = Graph.CurlConfiguration()
      configuration.unixSocket = path
      let response = try await Graph.CurlTransport(configuration: configuration).send(
        .init(method: .get, url: try #require(URL(string: "http://shop.test/graphql"))))
      #expect(try await response.body.text() == "by path")
    }

    /// A response without a request is not taken for the response to the next request, also on a
    /// socket without a port.
    @Test func ignoresUnsolicitedResponsesOnAUnixDomainSocket() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("socket").path
      let (read, written) = (DispatchSemaphore(value: 0), Box(0))
      let listener = try LoopbackListener(path: path) { connection in
        while let head = connection.read(through: Array("\r\n\r\n".utf8)) {
          let target = String(decoding: head, as: UTF8.self).split(separator: " ")[1]
          connection.response(body: String(target))
          read.wait()
          connection.response("500 Unexpected", body: "no")
          written.update { $0 += 1 }
        }
      }
      defer { withExtendedLifetime(listener) {} }
      var configuration = Graph.CurlConfiguration()
      configuration.unixSocket = path
      let transport = Graph.CurlTransport(configuration: configuration)
      for (number, path) in ["/first", "/second", "/third"].enumerated() {
        let url = try #require(URL(string: "http://shop.test\(path)"))
        let response = try await transport.send(.init(url: url))
        #expect(try await response.body.text() == path)
        read.signal()
        try await wait { written.current == number + 1 }
      }
    }

    /// Extreme time limits end a request or have no effect.
    @Test(arguments: [
      Duration.seconds(-1), .seconds(Int64.min), .milliseconds(-1), .zero, .nanoseconds(1),
    ])
    func minimalTimeoutsEndARequest(duration: Duration) async throws {
      let server = try LoopbackServer { _, connection in connection.waitForClose() }
      let full = try FullListener()
      for (limit, url) in [
        (\Graph.HTTPRequest.connectTimeout, full.url), (\.idleTimeout, server.url()),
        (\.timeout, server.url()),
      ] {
        var request = Graph.HTTPRequest(url: url)
        request[keyPath: limit] = duration
        let error = await #expect(throws: Graph.TransportError.self) {
          _ = try await Graph.CurlTransport().send(request)
        }
        #expect(error?.code == .timedOut)
      }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64(Int32.max)), .seconds(1 << 40)])
    func veryLongTimeoutsHaveNoEffect(duration: Duration) async throws {
      let server = try LoopbackServer { _, connection in connection.response(body: "here") }
      var request = Graph.HTTPRequest(url: server.url(), timeout: duration)
      request.connectTimeout = duration
      request.idleTimeout = duration
      let response = try await Graph.CurlTransport().send(request)
      #expect(try await response.body.text() == "here")
    }

    @Test func childProcessesDoNotInheritUploadFiles() throws {
      let folder = try TemporaryFolder()
      try Data([1]).write(to: folder.file("upload"))
      let handle = try FileHandle.reading(folder.file("upload"))
      #expect(fcntl(handle.fileDescriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
  }
#endif
