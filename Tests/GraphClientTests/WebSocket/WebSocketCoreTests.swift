import Foundation
import Testing

@testable import GraphClient
@testable import GraphWebSocket

struct WebSocketCoreTests {
  static func open(limit: Int = 1 << 16) throws -> Graph.WebSocketCore {
    var core = Graph.WebSocketCore(
      try HandshakeTests.handshake(), maximumMessageBytes: limit, mask: { 0 })
    _ = core.takeOutput()
    let events = try core.events(of: Array(HandshakeTests.good.utf8))
    #expect(events == [.opened])
    return core
  }

  /// A frame of the client whose mask is zero, which changes no byte.
  static func masked(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
  }

  @Test func framesMayFollowTheHandshakeInOnePacket() throws {
    var core = Graph.WebSocketCore(
      try HandshakeTests.handshake(), maximumMessageBytes: 100, mask: { 0 })
    let bytes = Array(HandshakeTests.good.utf8) + Peer.frame(0x81, Array("hi".utf8))
    for split in stride(from: 0, to: bytes.count, by: 7) {
      var copy = core
      let events =
        try copy.events(of: Array(bytes[..<split])) + copy.events(of: Array(bytes[split...]))
      #expect(events == [.opened, .message(.text("hi"))])
    }
    #expect(core.takeOutput().map { String(decoding: $0.prefix(4), as: UTF8.self) } == "GET ")
  }

  @Test func respondsOnlyToTheLastOfSeveralPings() throws {
    var core = try Self.open()
    #expect(try core.events(of: Peer.frame(0x89, [1]) + Peer.frame(0x89, [2])).isEmpty)
    #expect(core.takeOutput() == Self.masked(0x8A, [2]))
    #expect(core.takeOutput() == nil)
  }

  @Test func respondsToACloseFrame() throws {
    var core = try Self.open()
    let bytes = Peer.frame(0x88, [0x11, 0x31]) + Peer.frame(0x81, [0x61])
    #expect(try core.events(of: bytes) == [.closed(Graph.WebSocketClosure(code: 4401))])
    #expect(core.takeOutput() == Self.masked(0x88, [0x11, 0x31]))
    #expect(core.isClosed)
  }

  @Test func clientWaitsForTheCloseFrameOfTheServer() throws {
    var core = try Self.open()
    core.close(Graph.WebSocketClosure(code: 1000, reason: "bye"))
    core.close(Graph.WebSocketClosure(code: 1001))
    #expect(core.takeOutput() == Self.masked(0x88, [3, 0xE8] + Array("bye".utf8)))
    #expect(core.takeOutput() == nil)
    #expect(!core.isClosed)
    #expect(try core.events(of: Peer.frame(0x81, [0x61]) + Peer.frame(0x89, [])).isEmpty)
    #expect(core.takeOutput() == nil)
    _ = try core.events(of: Peer.frame(0x88, [3, 0xE8]))
    #expect(core.isClosed)
    #expect(core.takeOutput() == nil)
  }

  @Test(
    arguments: [
      ([0x83, 0], 1002, Graph.TransportError.Code.invalidResponse),
      ([0x81, 1, 0xFF], 1007, .invalidResponse), ([0x82, 126, 1, 0], 1009, .tooLarge),
    ] as [([UInt8], Int, Graph.TransportError.Code)])
  func sendsACloseCodeAfterAnInvalidFrame(
    bytes: [UInt8], closeCode: Int, code: Graph.TransportError.Code
  ) throws {
    var core = try Self.open(limit: 200)
    let error = #expect(throws: Graph.TransportError.self) { try core.events(of: bytes) }
    #expect(error?.code == code && error?.underlying is Graph.FrameError)
    let output = core.takeOutput()
    let sent = try #require(output)
    #expect(sent[0] == 0x88 && Int(sent[6]) << 8 | Int(sent[7]) == closeCode)
    #expect(core.isClosed)
  }

  @Test func messagesBeforeAnInvalidFrameAreDelivered() throws {
    var core = Graph.WebSocketCore(
      try HandshakeTests.handshake(), maximumMessageBytes: 100, mask: { 0 })
    let bytes =
      Array(HandshakeTests.good.utf8) + Peer.frame(0x81, Array("hi".utf8)) + [0x83, 0]
      + Peer.frame(0x81, Array("lost".utf8))
    let (events, failure) = core.receive(bytes)
    #expect(events == [.opened, .message(.text("hi"))])
    #expect(failure?.code == .invalidResponse)
    #expect(core.isClosed)
  }

  @Test func rejectsMessagesBeyondTheSendBufferLimit() throws {
    var core = try Self.open(limit: 100)
    try core.send(.binary([UInt8](repeating: 0, count: 80)))
    let error = #expect(throws: Graph.TransportError.self) {
      try core.send(.binary([UInt8](repeating: 0, count: 80)))
    }
    #expect(error?.code == .tooLarge)
    _ = core.takeOutput()
    try core.send(.binary([UInt8](repeating: 0, count: 80)))
  }
}

extension Graph.WebSocketCore {
  /// The events, if nothing violates the protocol.
  fileprivate mutating func events(of bytes: [UInt8]) throws(Graph.TransportError) -> [Event] {
    let (events, failure) = receive(bytes)
    if let failure { throw failure }
    return events
  }
}
