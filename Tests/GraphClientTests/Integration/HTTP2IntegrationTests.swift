#if !canImport(Darwin)
  import Foundation
  import GraphClient
  import Loopback
  import Testing

  /// Many requests on one connection: the outcome of one does not affect the others.
  @Suite(
    .enabled(if: HTTP2Server.program != nil, HTTP2Server.absence), .serialized,
    .timeLimit(.minutes(5)))
  struct HTTP2IntegrationTests {
    private func transport(_ server: HTTP2Server) -> Graph.CurlTransport {
      var configuration = Graph.CurlConfiguration()
      configuration.trust = .only(server.authority.certificate("authority"))
      configuration.maximumUnreadBytes = 1 << 16
      return Graph.CurlTransport(configuration: configuration)
    }

    private struct Response {
      let status: Int
      let connection: String
      let version: String
      let body: [UInt8]
    }

    private func response(
      _ transport: Graph.CurlTransport, _ request: Graph.HTTPRequest
    ) async throws -> Response {
      let response = try await transport.send(request)
      return Response(
        status: response.status, connection: response.headers["X-Connection"] ?? "",
        version: response.headers["X-Protocol"] ?? "",
        body: try await response.body.reduce(into: []) { $0 += $1 })
    }

    private func request(
      _ server: HTTP2Server, _ path: String, isQuery: Bool = false, body: [UInt8] = [1]
    ) -> Graph.HTTPRequest {
      var request = Graph.HTTPRequest(
        url: server.url(path), body: .bytes(body), timeout: .seconds(60))
      request.isIdempotent = isQuery
      return request
    }

    @Test func requestsShareOneConnection() async throws {
      let count = 24
      let gate = DispatchSemaphore(value: 0)
      let arrivals = Box(0)
      let server = try HTTP2Server { request, connection in
        // No response is sent before all requests have arrived.
        if arrivals.update({
          $0 += 1; return $0 == count
        }) {
          for _ in 0..<count { gate.signal() }
        }
        gate.wait()
        connection.response(body: request.target)
      }
      let transport = transport(server)
      let responses = try await withThrowingTaskGroup(of: (Int, Response).self) { group in
        for index in 0..<count {
          group.addTask { (index, try await response(transport, request(server, "/\(index)"))) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(responses.allSatisfy { $0.1.version == "HTTP/2.0" && $0.1.status == 200 })
      #expect(responses.allSatisfy { String(decoding: $0.1.body, as: UTF8.self) == "/\($0.0)" })
      #expect(Set(responses.map(\.1.connection)).count == 1)
    }

    /// libcurl 7.88 notices a reset that arrives with the last bytes of its stream only when the
    /// next bytes of any stream arrive.
    @Test(arguments: [true, false])
    func resettingAStreamDoesNotAffectOtherStreams(isQuery: Bool) async throws {
      let gate = DispatchSemaphore(value: 0)
      let server = try HTTP2Server { request, connection in
        switch request.target {
        case "/held":
          gate.wait()
          connection.response(body: "held")
        case "/broken":
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbroken")
          connection.close()
        default: connection.response(body: "small")
        }
      }
      let transport = transport(server)
      let hasEnded = Box(false)
      async let held = response(transport, request(server, "/held"))
      async let broken = Task {
        defer { hasEnded.update { $0 = true } }
        _ = try await response(transport, request(server, "/broken", isQuery: isQuery))
      }.result
      while !hasEnded.update({ $0 }) {
        #expect(try await response(transport, request(server, "/")).body == Array("small".utf8))
      }
      let result = await broken
      let error = #expect(throws: Graph.TransportError.self) { try result.get() }
      #expect(error?.code == .connectionLost)
      #expect(error?.bytesSent == true)
      gate.signal()
      let responded = try await held
      #expect(responded.body == Array("held".utf8))
      #expect(
        try await response(transport, request(server, "/")).connection == responded.connection)
    }

    /// nginx sends GOAWAY after this many requests, and accepts no more on that connection.
    @Test(arguments: [true, false])
    func goAwayBetweenRequestsLosesNoRequests(isQuery: Bool) async throws {
      let bodies = Box<[[UInt8]]>([])
      let server = try HTTP2Server(["keepalive_requests 5;"]) { request, connection in
        bodies.update { $0.append(request.body) }
        connection.response(body: "yes")
      }
      let transport = transport(server)
      var connections: Set<String> = []
      for index in 0..<17 {
        let response = try await response(
          transport, request(server, "/", isQuery: isQuery, body: [UInt8(index)]))
        #expect(response.status == 200)
        connections.insert(response.connection)
      }
      #expect(connections.count >= 3)
      #expect(bodies.update { $0 } == (0..<17).map { [UInt8($0)] })
    }

    /// The same while requests are in progress: requests that the server has not accepted are not
    /// lost.
    @Test func goAwayUnderLoadRepeatsNoRequests() async throws {
      let bodies = Box<[[UInt8]]>([])
      let server = try HTTP2Server(["keepalive_requests 5;"]) { request, connection in
        bodies.update { $0.append(request.body) }
        connection.response(body: "yes")
      }
      let transport = transport(server)
      let failures = try await inParallel(40) { index in
        try await response(transport, request(server, "/", body: [UInt8(index)])).status == 200
      }
      check(failures, carriedOut: bodies.update { $0 })
    }

    /// The server allows fewer streams than there are requests. It refuses those that are sent
    /// before libcurl has read the limit. libcurl does not distinguish that from the end of the
    /// connection.
    @Test(arguments: [true, false])
    func requestsWaitForAFreeStream(isQuery: Bool) async throws {
      let bodies = Box<[[UInt8]]>([])
      let server = try HTTP2Server(["http2_max_concurrent_streams 3;"]) { request, connection in
        bodies.update { $0.append(request.body) }
        connection.response(body: "yes")
      }
      let transport = transport(server)
      let failures = try await inParallel(40) { index in
        try await response(transport, request(server, "/", isQuery: isQuery, body: [UInt8(index)]))
          .status == 200
      }
      #expect(failures.isEmpty || !isQuery)
      check(failures, carriedOut: bodies.update { $0 })
    }

    /// Runs that many concurrent requests; returns the errors by their numbers.
    private func inParallel(
      _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> [Int: Graph.TransportError] {
      try await withThrowingTaskGroup(of: (Int, Graph.TransportError?).self) { group in
        for index in 0..<count {
          group.addTask {
            do {
              let isRight = try await body(index)
              #expect(isRight)
              return (index, nil)
            } catch let error as Graph.TransportError { return (index, error) }
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
    }

    /// Each request was carried out once, or failed. A request whose error states that it was not
    /// sent was not carried out.
    private func check(_ failures: [Int: Graph.TransportError], carriedOut: [[UInt8]]) {
      for index in 0..<40 {
        let count = carriedOut.filter { $0 == [UInt8(index)] }.count
        #expect(count <= 1)
        if let failure = failures[index] {
          #expect(failure.bytesSent || count == 0, "\(failure)")
        } else {
          #expect(count == 1)
        }
      }
    }

    /// A reader that does not read delays its own stream, but not the others.
    @Test func pausedReaderDoesNotDelayOtherStreams() async throws {
      let size = 64 << 20
      let written = Box(0)
      let server = try HTTP2Server { request, connection in
        guard request.target == "/large" else { return connection.response(body: "small") }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        let block = [UInt8](repeating: 7, count: 1 << 16)
        for _ in 0..<size / block.count {
          guard connection.write(block) else { return }
          written.update { $0 += block.count }
        }
      }
      let transport = transport(server)
      let large = try await transport.send(request(server, "/large"))
      var chunks = large.body.makeAsyncIterator()
      var count = try #require(try await chunks.next()).count
      for _ in 0..<50 {
        let small = try await response(transport, request(server, "/"))
        #expect(small.body == Array("small".utf8))
        #expect(small.connection == large.headers["X-Connection"])
      }
      // Bytes that are neither read nor delayed are in the buffers of three programs.
      #expect(written.update { $0 } < size)
      while let chunk = try await chunks.next() { count += chunk.count }
      #expect(count == size)
    }

    @Test func largeUploadDoesNotBlockOtherRequests() async throws {
      let server = try HTTP2Server { request, connection in
        connection.response(body: "\(request.body.count)")
      }
      let transport = transport(server)
      let body = [UInt8](repeating: 7, count: 8 << 20)
      async let large = response(transport, request(server, "/large", body: body))
      for _ in 0..<20 {
        #expect(try await response(transport, request(server, "/")).body == Array("1".utf8))
      }
      #expect(try await large.body == Array("\(body.count)".utf8))
    }

    @Test func cancellingAStreamDoesNotAffectOtherStreams() async throws {
      let gate = DispatchSemaphore(value: 0)
      let (arrivals, arrived) = AsyncStream<Void>.makeStream()
      let server = try HTTP2Server { request, connection in
        guard request.target == "/cancelled" else {
          gate.wait()
          return connection.response(body: "whole")
        }
        arrived.yield()
        connection.waitForClose()
      }
      let transport = transport(server)
      async let other = response(transport, request(server, "/"))
      let task = Task { try await response(transport, request(server, "/cancelled")) }
      for await _ in arrivals { break }
      task.cancel()
      let error = await #expect(throws: Graph.TransportError.self) { _ = try await task.value }
      #expect(error?.code == .cancelled)
      gate.signal()
      let first = try await other
      #expect(first.body == Array("whole".utf8))
      gate.signal()
      #expect(try await response(transport, request(server, "/")).connection == first.connection)
    }

    @Test func serverShutdownFailsRequestsInProgress() async throws {
      let (arrivals, arrived) = AsyncStream<Void>.makeStream()
      var server: HTTP2Server? = try HTTP2Server { _, connection in
        arrived.yield()
        connection.waitForClose()
      }
      let transport = try transport(#require(server))
      let task = Task { [request = request(try #require(server), "/")] in
        try await response(transport, request)
      }
      for await _ in arrivals { break }
      server = nil
      let error = await #expect(throws: Graph.TransportError.self) { _ = try await task.value }
      #expect(error?.code == .connectionLost)
      #expect(error?.bytesSent == true)
    }
  }
#endif
