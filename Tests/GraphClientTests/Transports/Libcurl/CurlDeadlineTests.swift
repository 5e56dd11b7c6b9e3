#if !canImport(Darwin)
  import Foundation
  import Loopback
  import Testing

  @testable import GraphClient

  /// The three limits of a request, one at a time, and back-pressure on a server.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlTransport.isAvailable, "no libcurl"))
  struct CurlDeadlineTests {
    let transport = Graph.CurlTransport()

    @Test func connectTimeoutEndsARequestWithoutAConnection() async throws {
      let server = try FullListener()
      var request = Graph.HTTPRequest(url: server.url)
      request.connectTimeout = .milliseconds(60)
      try await expectTimeout("the connection could not be established in time", bytesSent: false) {
        try await transport.send(request)
      }
    }

    @Test func connectTimeoutDoesNotApplyAfterConnecting() async throws {
      let server = try LoopbackServer { _, connection in
        connection.waitForClose()
      }
      var request = Graph.HTTPRequest(url: server.url(), timeout: .milliseconds(200))
      request.connectTimeout = .milliseconds(100)
      try await expectTimeout("the request timed out", bytesSent: true) {
        try await transport.send(request)
      }
    }

    /// Secure requests wait for the first connection to their host, which may carry them too. This
    /// waiting time counts.
    @Test func requestsWaitingForAConnectionTimeOut() async throws {
      let count = Box(0)
      let silent = try LoopbackListener { connection in
        count.update { $0 += 1 }
        connection.waitForClose()
      }
      let url = try #require(URL(string: "https://localhost:\(silent.port)/"))
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 {
          group.addTask {
            var request = Graph.HTTPRequest(url: url)
            request.connectTimeout = .milliseconds(300)
            try await expectTimeout(
              "the connection could not be established in time", bytesSent: false
            ) {
              try await transport.send(request)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(count.current < 10)
    }

    /// The server closes a reused connection after it has received a request, and accepts no other
    /// connection.
    @Test func unreachableServerDoesNotBlockOtherServers() async throws {
      let gone = try FullListener { connection in
        for number in 1...2 {
          let head = connection.read(through: Array("\r\n\r\n".utf8))
          guard head != nil, connection.read(3) != nil else { return }
          if number == 1 { connection.response(body: "1") } else { connection.reset() }
        }
      }
      let healthy = try LoopbackServer { _, connection in connection.response(body: "here") }
      var request = Graph.HTTPRequest(url: gone.url, body: .bytes([1, 2, 3]))
      request.connectTimeout = .milliseconds(100)
      request.isIdempotent = true
      #expect(try await transport.send(request).body.text() == "1")
      // It is retried, but no connection can be opened for that.
      try await expectTimeout("the connection could not be established in time", bytesSent: true) {
        try await transport.send(request)
      }
      for _ in 0..<5 {
        let response = try await transport.send(.init(url: healthy.url()))
        #expect(try await response.body.text() == "here")
      }
    }

    @Test func idleTimeoutEndsAStalledResponse() async throws {
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst")
        connection.waitForClose()
      }
      var request = Graph.HTTPRequest(url: server.url())
      request.idleTimeout = .milliseconds(80)
      // The idle time may begin before the head has arrived.
      let error = await #expect(throws: Graph.TransportError.self) {
        for try await _ in try await transport.send(request).body {}
      }
      #expect(
        error?.code == .timedOut && error?.message.contains("within the idle timeout") == true)
    }

    @Test func idleTimeoutEndsAStalledUpload() async throws {
      // It accepts a connection and never reads.
      let end = DispatchSemaphore(value: 0)
      defer { end.signal() }
      let listener = try LoopbackListener { _ in end.wait() }
      var request = Graph.HTTPRequest(
        url: listener.url(), body: .bytes([UInt8](repeating: 7, count: 64 << 20)))
      request.idleTimeout = .milliseconds(150)
      try await expectTimeout("within the idle timeout", bytesSent: true) {
        try await transport.send(request)
      }
    }

    /// The server has to wait as long as the response is not read, which does not count as the
    /// server's idle time.
    @Test func slowReaderAppliesBackPressure() async throws {
      let block = [UInt8](repeating: 0x61, count: 1 << 16)
      let blockCount = 640
      let written = Box(0)
      let server = try LoopbackServer { _, connection in
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: \(blockCount << 16)\r\n\r\n")
        for _ in 0..<blockCount where connection.write(block) { written.update { $0 += 1 } }
      }
      var configuration = Graph.CurlConfiguration()
      configuration.maximumUnreadBytes = 1 << 18
      let transport = Graph.CurlTransport(configuration: configuration)
      var request = Graph.HTTPRequest(url: server.url())
      request.idleTimeout = .milliseconds(300)
      let response = try await transport.send(request)
      // Until the buffers of the sockets are full, and longer than the limit of the idle time.
      var last = -1
      while written.current != last {
        last = written.current
        try await Task.sleep(for: .milliseconds(400))
      }
      #expect(last < blockCount)
      var count = 0
      for try await chunk in response.body {
        #expect(chunk.count <= 1 << 20)
        count += chunk.count
      }
      #expect(count == blockCount << 16)
    }

    private func expectTimeout(
      _ reason: String, bytesSent: Bool, _ body: () async throws -> Graph.HTTPResponse
    ) async throws {
      let error = await #expect(throws: Graph.TransportError.self) { _ = try await body() }
      #expect(error?.code == .timedOut)
      #expect(error?.message.contains(reason) == true)
      #expect(error?.bytesSent == bytesSent)
    }
  }
#endif
