import Foundation
import Loopback
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for every transport over a network.
@Suite(.timeLimit(.minutes(5)))
struct TransportTests {
  @Test(arguments: TransportKind.allCases)
  func sendsMethodHeadersAndBody(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.response("201 Created", ["X-A: b", "Content-Type: text/plain"], body: "hello")
    }
    let response = try await transport.send(
      .init(url: server.url("/a?b=c"), headers: ["X-Token": "t"], body: .bytes(Array("in".utf8))))
    #expect(response.status == 201)
    #expect(response.headers["x-a"] == "b")
    #expect(response.url == server.url("/a?b=c"))
    #expect(try await response.body.text() == "hello")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.target == "/a?b=c")
    #expect(request.headers["x-token"] == "t")
    #expect(request.body == Array("in".utf8))
  }

  @Test(arguments: TransportKind.allCases)
  func deliversTheBodyInPieces(kind: TransportKind) async throws {
    let transport = kind.make()
    let gate = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
      gate.wait()
      connection.write("6\r\nsecond\r\n0\r\n\r\n")
    }
    let response = try await transport.send(.init(method: .get, url: server.url()))
    var chunks = response.body.makeAsyncIterator()
    #expect(try await chunks.next() == Array("first".utf8))
    gate.signal()
    #expect(try await chunks.next() == Array("second".utf8))
    #expect(try await chunks.next() == nil)
  }

  /// The connection may be lost before anything reads them.
  @Test(arguments: TransportKind.allCases)
  func deliversThePiecesBeforeAFailure(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<5 { connection.write("5\r\nevent\r\n") }
      connection.close()
    }
    for _ in 0..<20 {
      let response = try await transport.send(.init(method: .get, url: server.url()))
      var bytes: [UInt8] = []
      let error = await #expect(throws: Graph.TransportError.self) {
        for try await chunk in response.body { bytes += chunk }
      }
      #expect(error?.code == .connectionLost)
      #expect(bytes.count == 25)
    }
  }

  @Test(arguments: TransportKind.allCases)
  func redirect307KeepsMethodAndBody(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { request, connection in
      if request.target == "/graphql" {
        connection.response("307 Temporary Redirect", ["Location: /moved"], body: "moved")
      } else {
        connection.response(body: String(decoding: request.body, as: UTF8.self))
      }
    }
    let response = try await transport.send(
      .init(url: server.url(), headers: ["X-Token": "t"], body: .bytes(Array("{query}".utf8))))
    #expect(try await response.body.text() == "{query}")
    #expect(response.url == server.url("/moved"))
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.last?.headers["x-token"] == "t")
  }

  @Test(arguments: TransportKind.allCases)
  func redirect302AfterPostIsReturned(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.response("302 Found", ["Location: /moved"])
    }
    let response = try await transport.send(.init(url: server.url(), body: .bytes([1])))
    #expect(response.status == 302)
    #expect(server.requests.count == 1)
  }

  /// The variables of an operation may be as secret as a token.
  @Test(arguments: TransportKind.allCases, [307, 308])
  func operationsAreNotRedirectedToAnotherOrigin(kind: TransportKind, status: Int) async throws {
    let transport = kind.make()
    let other = try LoopbackServer { _, connection in connection.response(body: "other") }
    let server = try LoopbackServer { _, connection in
      connection.response("\(status) Redirect", ["Location: \(other.url())"])
    }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url(), body: .bytes([1])))
    }
    #expect(error?.code == .redirectRefused)
    #expect(error?.message.contains("operationOrigins") == true)
    #expect(other.requests.isEmpty)
    // A GET has no body, so it is redirected.
    let response = try await transport.send(.init(method: .get, url: server.url()))
    #expect(try await response.body.text() == "other")
  }

  @Test(arguments: TransportKind.allCases)
  func redirectLoopsAreStopped(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.response("307 Temporary Redirect", ["Location: /graphql"])
    }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url(), body: .bytes([1])))
    }
    #expect(error?.code == .redirectRefused)
    #expect(server.requests.count == 6)
  }

  @Test(arguments: TransportKind.allCases)
  func closedPortIsAConnectionError(kind: TransportKind) async throws {
    let transport = kind.make()
    let port = try ClosedPort()
    defer { withExtendedLifetime(port) {} }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: port.url))
    }
    #expect(error?.code == .cannotConnect)
    #expect(error?.bytesSent == false)
  }

  @Test(arguments: TransportKind.allCases)
  func closeBeforeTheResponseIsALostConnection(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in connection.close() }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url(), body: .bytes([1])))
    }
    #expect(error?.code == .connectionLost)
    #expect(error?.bytesSent == true)
  }

  /// A server may close a kept connection at any time, also while the next request is being sent.
  @Test(arguments: TransportKind.allCases)
  func closedReusedConnectionIsReportedAsLost(kind: TransportKind) async throws {
    let transport = kind.make()
    let responded = Box(0)
    let server = try LoopbackServer { _, connection in
      let count = responded.update { count in
        count += 1
        return count
      }
      if count == 2 { connection.close() } else { connection.response(body: "\(count)") }
    }
    let request = Graph.HTTPRequest(url: server.url(), body: .bytes([1, 2, 3]))
    #expect(try await transport.send(request).body.text() == "1")
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(request).body.text()
    }
    #expect(error?.code == .connectionLost)
    #expect(try await transport.send(request).body.text() == "3")
  }

  @Test(
    arguments: TransportKind.allCases,
    [
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nshort",
      "HTTP/1.1 200 OK\r\nContent-Length: 20\r\nContent-Encoding: gzip\r\n\r\n\u{1F}short",
    ])
  func truncatedResponsesAreErrors(kind: TransportKind, response: String) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.write(response)
      connection.reset()
    }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url())).body.text()
    }
    #expect(error?.code == .connectionLost || error?.code == .invalidResponse)
  }

  @Test(arguments: TransportKind.allCases)
  func deadlineEndsATransferWithoutResponse(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in connection.waitForClose() }
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url(), timeout: .milliseconds(50)))
    }
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: TransportKind.allCases)
  func deadlineCoversTheBody(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nslow")
      connection.waitForClose()
    }
    // It may have passed before the head has arrived.
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url(), timeout: .milliseconds(200))).body.text()
    }
    #expect(error?.code == .timedOut)
  }

  /// A subscription with a single response that is never complete.
  @Test(arguments: TransportKind.allCases)
  func deadlineCoversNonStreamingSubscriptionResponses(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
      connection.waitForClose()
    }
    var configuration = Graph.ClientConfiguration()
    configuration.timeout = .milliseconds(200)
    configuration.retryPolicy = .none
    let client = Graph.Client(
      endpoint: server.url(), transport: transport, configuration: configuration)
    let error = await #expect(throws: Graph.QueryError.self) {
      for try await _ in client.subscribe(Store.buildSubscription { $0.tick() }) {}
    }
    let cause = try #require(error?.transportError)
    #expect(cause.code == .timedOut)
  }

  @Test(arguments: TransportKind.allCases)
  func cancellingTheTaskEndsTheTransfer(kind: TransportKind) async throws {
    let transport = kind.make()
    let closed = DispatchSemaphore(value: 0)
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { _, connection in
      arrived.yield()
      connection.waitForClose()
      closed.signal()
    }
    let task = Task { [transport] in try await transport.send(.init(url: server.url())) }
    for await _ in arrivals { break }
    task.cancel()
    let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await signal(of: closed)
  }

  @Test(arguments: TransportKind.allCases)
  func droppingTheBodyEndsTheTransfer(kind: TransportKind) async throws {
    let transport = kind.make()
    let closed = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
      connection.waitForClose()
      closed.signal()
    }
    do {
      let response = try await transport.send(.init(url: server.url()))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() != nil)
    }
    await signal(of: closed)
  }

  @Test(
    arguments: TransportKind.allCases, ["file:///etc/passwd", "graphql", "http://", "ftp://a/b"])
  func rejectsNonHTTPURLs(kind: TransportKind, address: String) async throws {
    let transport = kind.make()
    let url = try #require(URL(string: address))
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: url))
    }
    #expect(error?.code == .invalidRequest)
  }

  @Test(arguments: TransportKind.allCases)
  func uploadsAreStreamedFromDisk(kind: TransportKind) async throws {
    let transport = kind.make()
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("upload-\(UUID().uuidString)")
    try Data(repeating: 7, count: 300_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try LoopbackServer { request, connection in
      connection.response(body: "\(request.body.count)")
    }
    let form = Graph.MultipartForm(
      parts: [
        .init(name: "operations", content: .bytes(Array("{}".utf8))),
        .init(
          name: "0", fileName: "a\"\r\nb", contentType: "image/png", content: .file(file)),
      ], boundary: "edge")
    let response = try await transport.send(.init(url: server.url(), body: .multipart(form)))
    _ = try await response.body.text()
    let request = try #require(server.requests.first)
    #expect(request.headers["content-type"] == "multipart/form-data; boundary=edge")
    let head =
      "--edge\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{}\r\n"
      + "--edge\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a%22%0D%0Ab\"\r\n"
      + "Content-Type: image/png\r\n\r\n"
    #expect(request.body.starts(with: head.utf8))
    #expect(request.body.suffix(12) == Array("\r\n--edge--\r\n".utf8)[...])
    #expect(request.body.count == head.utf8.count + 300_000 + 14 - 2 + 0)
  }

  @Test(arguments: TransportKind.allCases)
  func aMissingFileIsAnInvalidRequest(kind: TransportKind) async throws {
    let transport = kind.make()
    let server = try LoopbackServer { _, connection in connection.response() }
    let form = Graph.MultipartForm(
      parts: [.init(name: "0", content: .file(URL(fileURLWithPath: "/nowhere/at/all")))])
    let error = await #expect(throws: Graph.TransportError.self) {
      try await transport.send(.init(url: server.url(), body: .multipart(form)))
    }
    #expect(error?.code == .invalidRequest)
    #expect(server.requests.isEmpty)
  }
}

/// Waits for a thread of the server that has noticed the end of the connection.
func signal(of semaphore: DispatchSemaphore) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      semaphore.wait()
      continuation.resume()
    }
  }
}
