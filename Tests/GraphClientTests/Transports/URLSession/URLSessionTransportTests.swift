import Foundation
import Loopback
import Testing

@testable import GraphClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for URLSession only; see `TransportTests` for the rest.
@Suite(.timeLimit(.minutes(5)))
struct URLSessionTransportTests {
  let transport = Graph.URLSessionTransport()

  @Test func taskCancelledInAdvanceSendsNoRequest() async throws {
    let server = try LoopbackServer { _, connection in connection.response() }
    for _ in 0..<20 {
      let task = Task { [transport] in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.send(.init(url: server.url()))
      }
      let error = await #expect(throws: Graph.TransportError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }
    // The session ends them on a queue of its own.
    _ = try await transport.send(.init(url: server.url())).body.text()
    for _ in 0..<100_000 where transport.openTransferCount > 0 { await Task.yield() }
    #expect(transport.openTransferCount == 0)
    #expect(server.requests.count == 1)
  }

  @Test func repeatedHeaderFieldsAreCombined() async throws {
    let server = try LoopbackServer { _, connection in connection.response(body: "") }
    var headers: Graph.Headers = ["X-A": "1", "X-B": "2"]
    headers.add(name: "x-a", value: "3")
    _ = try await transport.send(.init(url: server.url(), headers: headers))
    let request = try #require(server.requests.first)
    #expect(request.headers["x-a"] == "1, 3")
    #expect(request.headers["x-b"] == "2")
  }

  @Test func credentialsAreNotRedirectedToAnotherOrigin() async throws {
    let other = try LoopbackServer { _, connection in connection.response(body: "other") }
    let server = try LoopbackServer { _, connection in
      connection.response("308 Permanent Redirect", ["Location: \(other.url())"])
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Session": "secret"]
    let transport = Graph.URLSessionTransport(
      configuration: configuration,
      redirects: Graph.RedirectPolicy(
        maximumCount: 5, operationOrigins: [other.url("/").absoluteString]))
    let response = try await transport.send(
      .init(
        url: server.url(),
        headers: ["Authorization": "secret", "X-Api-Key": "secret", "Accept": "application/json"],
        body: .bytes([1])))
    #expect(server.requests.first?.headers["x-session"] == "secret")
    #expect(try await response.body.text() == "other")
    let headers = try #require(other.requests.first?.headers)
    #expect(headers["accept"] == "application/json")
    #expect(!headers.values.contains("secret"))
  }

  @Test func responsesLargerThanTheLimitAreStopped() async throws {
    let stopped = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
      let block = [UInt8](repeating: 0x20, count: 1 << 16)
      while connection.write(block) {}
      stopped.signal()
    }
    let transport = Graph.URLSessionTransport(maximumUnreadBytes: 1 << 20)
    let response = try await transport.send(.init(url: server.url()))
    await signal(of: stopped)
    let error = await #expect(throws: Graph.TransportError.self) { try await response.body.text() }
    #expect(error?.code == .tooLarge)
  }

  /// Files may be large, and the time for reading them is part of the request's.
  @Test func uploadPreparationRespectsDeadlineAndCancellation() async throws {
    let form = Graph.MultipartForm(
      parts: [.init(name: "0", content: .file(URL(fileURLWithPath: #filePath)))])
    let late = await #expect(throws: Graph.TransportError.self) {
      try await Graph.UploadFile(.multipart(form), until: .now - .seconds(1))
    }
    #expect(late?.code == .timedOut && late?.bytesSent == false)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Graph.UploadFile(.multipart(form)) != nil
    }
    let cancelled = await #expect(throws: Graph.TransportError.self) { try await task.value }
    #expect(cancelled?.code == .cancelled)
  }
}
