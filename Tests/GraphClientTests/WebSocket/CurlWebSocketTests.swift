#if !canImport(Darwin)
  import Foundation
  import Loopback
  import Testing

  @testable import GraphClient
  @testable import GraphWebSocket

  @Suite(.timeLimit(.minutes(2)), .enabled(if: Graph.CurlLibrary.installed != nil, "no libcurl"))
  struct CurlWebSocketTests {
    static func connect(
      _ server: LoopbackServer, limit: Int = 1 << 20, timeout: Duration? = nil,
      time: any Graph.TimeSource = HeldTime()
    ) async throws -> any Graph.WebSocketConnection {
      let transport = Graph.CurlWebSocketTransport(
        transport: .shared, maximumMessageBytes: limit, time: time)
      return try await transport.connect(
        Graph.HTTPRequest(url: server.url(), headers: ["X-Token": "t"], timeout: timeout),
        subprotocol: "graphql-transport-ws")
    }

    /// Upgrades, and returns every message.
    static func echo() throws -> LoopbackServer {
      try .webSocket { peer, _ in
        peer.upgrade()
        while let frame = peer.frame() {
          peer.write(Peer.frame(frame.first, frame.payload))
          if frame.opcode == 8 { return }
        }
      }
    }

    static func failure(_ body: () async throws -> Void) async -> Graph.TransportError? {
      do {
        try await body()
        return nil
      } catch {
        return error as? Graph.TransportError
      }
    }

    @Test func sendsAndReceivesMessages() async throws {
      let server = try Self.echo()
      let connection = try await Self.connect(server)
      let long = String(repeating: "ü", count: 200_000)
      for message: Graph.WebSocketMessage in [.text("hi"), .binary([0, 255]), .text(long)] {
        try await connection.send(message)
        #expect(try await connection.receive() == message)
      }
      connection.close(code: 1000, reason: "")
      let error = await Self.failure { _ = try await connection.receive() }
      #expect(error?.code == .cancelled)
      #expect(server.requests.first?.headers["x-token"] == "t")
    }

    @Test func manyMessagesArriveInOrder() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        for number in 0..<5000 { peer.send("\(number)") }
        peer.waitForEnd()
      }
      // The limit is far below the sent amount: the server has to wait, and nothing is lost.
      let connection = try await Self.connect(server, limit: 4096)
      for number in 0..<5000 {
        #expect(try await connection.receive() == .text("\(number)"))
      }
    }

    @Test func respondsToServerPings() async throws {
      let pong = Box<Peer.Frame?>(nil)
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        peer.write(Peer.frame(0x89, [1, 2, 3]))
        let frame = peer.frame()
        pong.update { $0 = frame }
        peer.send("done")
        peer.waitForEnd()
      }
      let connection = try await Self.connect(server)
      #expect(try await connection.receive() == .text("done"))
      #expect(pong.current == Peer.Frame(first: 0x8A, payload: [1, 2, 3]))
    }

    @Test func closeFrameIsReportedAfterEarlierMessages() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        peer.send("last")
        peer.close(4401, "who?")
        peer.waitForEnd()
      }
      let connection = try await Self.connect(server)
      #expect(try await connection.receive() == .text("last"))
      let error = await Self.failure { _ = try await connection.receive() }
      #expect(error?.code == .connectionLost)
      #expect(
        error?.underlying as? Graph.WebSocketClosure
          == Graph.WebSocketClosure(code: 4401, reason: "who?"))
    }

    @Test func messageBeforeAnInvalidFrameIsDelivered() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        peer.write(Peer.frame(0x81, Array("last".utf8)) + Peer.frame(0x83, []))
        peer.waitForEnd()
      }
      let connection = try await Self.connect(server)
      #expect(try await connection.receive() == .text("last"))
      let error = await Self.failure { _ = try await connection.receive() }
      #expect(error?.underlying as? Graph.FrameError == .unknownOpcode(3))
    }

    @Test func droppedConnectionIsReportedAsLost() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        peer.drop()
      }
      let error = await Self.failure {
        let connection = try await Self.connect(server)
        _ = try await connection.receive()
      }
      #expect(error?.code == .connectionLost)
    }

    @Test(arguments: [
      (Peer.frame(0x83, []), 1002, Graph.FrameError.unknownOpcode(3)),
      ([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0], 1009, .messageTooLarge(limit: 1 << 20)),
    ])
    func invalidFramesEndTheConnection(
      bytes: [UInt8], closeCode: Int, expected: Graph.FrameError
    ) async throws {
      let code = Box<Int?>(nil)
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        peer.write(bytes)
        let frame = peer.frame()
        code.update { $0 = frame?.code }
        isOver.open()
      }
      // The frame may arrive together with the handshake.
      let error = await Self.failure { _ = try await Self.connect(server).receive() }
      #expect(error?.underlying as? Graph.FrameError == expected)
      await isOver.wait()
      #expect(code.current == closeCode)
    }

    @Test func aRefusedHandshakeHasItsStatus() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.response("503 Service Unavailable", ["Retry-After: 7"])
      }
      let error = await Self.failure { _ = try await Self.connect(server) }
      let refusal = error?.underlying as? Graph.HandshakeRefusal
      #expect(refusal?.status == 503 && refusal?.headers["Retry-After"] == "7")
    }

    @Test func closedPortIsAConnectionError() async throws {
      let port = try ClosedPort()
      defer { withExtendedLifetime(port) {} }
      let error = await Self.failure {
        _ = try await Graph.CurlWebSocketTransport().connect(
          Graph.HTTPRequest(url: port.url), subprotocol: "x")
      }
      #expect(error?.code == .cannotConnect && error?.bytesSent == false)
    }

    @Test func missingLibcurlErrorNamesThePackage() async throws {
      let transport = Graph.CurlWebSocketTransport(
        transport: Graph.CurlTransport(
          library: Graph.CurlLibrary(["libnosuchthing.so.4"]), configuration: .init()),
        maximumMessageBytes: 1,
        time: HeldTime())
      let error = await Self.failure {
        _ = try await transport.connect(
          Graph.HTTPRequest(url: .endpoint), subprotocol: "graphql-transport-ws")
      }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("install the package libcurl4") == true)
    }

    @Test func slowHandshakeTimesOut() async throws {
      let server = try LoopbackServer.webSocket { peer, _ in peer.waitForEnd() }
      let time = HeldTime()
      async let error = Self.failure {
        _ = try await Self.connect(server, timeout: .seconds(3), time: time)
      }
      try await time.pass(.seconds(3))
      #expect(await error?.code == .timedOut)
    }

    @Test func cancellingEndsTheHandshake() async throws {
      let isWaiting = Latch()
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        isWaiting.open()
        peer.waitForEnd()
        isOver.open()
      }
      let task = Task { await Self.failure { _ = try await Self.connect(server) } }
      await isWaiting.wait()
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      await isOver.wait()
    }

    @Test func cancellingAReceiveKeepsTheConnectionOpen() async throws {
      let server = try Self.echo()
      let connection = try await Self.connect(server)
      let task = Task { await Self.failure { _ = try await connection.receive() } }
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      try await connection.send(.text("still"))
      #expect(try await connection.receive() == .text("still"))
    }

    @Test func releasingAConnectionClosesItsSocket() async throws {
      let isOver = Latch()
      let server = try LoopbackServer.webSocket { peer, _ in
        peer.upgrade()
        if peer.frame()?.code == 1000 { isOver.open() }
      }
      _ = try await Self.connect(server)
      await isOver.wait()
    }
  }
#endif
