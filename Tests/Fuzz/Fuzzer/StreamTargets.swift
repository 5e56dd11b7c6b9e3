import Foundation
@testable import GraphClient

/// Bodies of several parts: what comes out does not depend on where the bytes were cut.
enum MultipartTarget: FuzzTarget {
  static let name = "multipart"

  static func run(_ input: [UInt8]) {
    let (whole, pieces) = input.pieces
    func parts(_ chunks: [[UInt8]]) -> ([[UInt8]], isComplete: Bool)? {
      var parser = Graph.MultipartParser(boundary: "-", maximumByteCount: 1 << 20)
      var parts: [[UInt8]] = []
      for chunk in chunks {
        guard let more = try? parser.feed(chunk) else { return nil }
        parts += more
      }
      return (parts, parser.isComplete)
    }
    guard let once = parts([whole]), let cut = parts(pieces) else {
      fatalError("so few bytes are not too many")
    }
    require(once.0 == cut.0 && once.isComplete == cut.isComplete, "cutting changes nothing")
  }
}

/// Server-sent events, likewise.
enum EventStreamTarget: FuzzTarget {
  static let name = "event-stream"

  static func run(_ input: [UInt8]) {
    let (whole, pieces) = input.pieces
    func events(_ chunks: [[UInt8]]) -> ([Graph.ServerEvent], String?)? {
      var parser = Graph.EventStreamParser(maximumByteCount: 1 << 20)
      var events: [Graph.ServerEvent] = []
      for chunk in chunks {
        guard let more = try? parser.feed(chunk) else { return nil }
        events += more
      }
      return (events, parser.lastEventID)
    }
    guard let once = events([whole]), let cut = events(pieces) else {
      fatalError("so few bytes are not too many")
    }
    require(once.0 == cut.0 && once.1 == cut.1, "cutting changes nothing")
  }
}

/// A server's side of a web socket from its first byte, or from the first after a good handshake.
enum WebSocketTarget: FuzzTarget {
  static let name = "web-socket"

  private static let nonce = [UInt8](repeating: 7, count: 16)
  private static let accepted = Array(
    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: "
      + Graph.Handshake.accept(for: Data(nonce).base64EncodedString())
      + "\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n").utf8)

  private static func outcome(
    _ chunks: [[UInt8]]
  ) -> (events: [Graph.WebSocketCore.Event], error: String?, output: [UInt8]) {
    do {
      let handshake = try Graph.Handshake(
        Graph.HTTPRequest(url: url), subprotocol: "graphql-transport-ws", nonce: nonce)
      var core = Graph.WebSocketCore(handshake, maximumMessageBytes: 1 << 16, mask: { 0 })
      var events: [Graph.WebSocketCore.Event] = []
      var failure: String?
      for chunk in chunks where failure == nil {
        do {
          events += try core.receive(chunk)
        } catch {
          failure = "\(error)"
        }
      }
      var output: [UInt8] = []
      while let bytes = core.takeOutput() { output += bytes }
      return (events, failure, output)
    } catch {
      fatalError("the handshake's request is good: \(error)")
    }
  }

  private static let url: URL = {
    guard let url = URL(string: "http://localhost/graphql") else { fatalError("a good address") }
    return url
  }()

  static func run(_ input: [UInt8]) {
    let (whole, pieces) = input.pieces
    let start = (input.first ?? 0) & 0x80 == 0 ? accepted : []
    let once = outcome([start + whole])
    let cut = outcome([start] + pieces)
    require(once.error == cut.error, "cutting changes no failure")
    // Pieces before the one that fails have been handed out.
    require(cut.events.starts(with: once.events), "cutting changes no event")
    if once.error == nil {
      require(once.events.count == cut.events.count, "cutting loses no event")
    }
  }
}
