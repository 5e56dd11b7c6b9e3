import Foundation
@testable import GraphClient
@testable import GraphWebSocket

/// The result of a parser for several chunks.
private struct Reading<Element: Equatable>: Equatable {
  var elements: [Element] = []
  var end: String?
}

extension FuzzTarget {
  /// The result must not depend on the places where the bytes were split.
  fileprivate static func requireSame<Element>(
    _ input: [UInt8], _ read: ([[UInt8]]) throws -> Reading<Element>
  ) {
    let (whole, pieces) = input.pieces
    guard let once = try? read([whole]), let cut = try? read(pieces) else {
      fatalError("the number of bytes is below the limit")
    }
    require(once == cut, "the result does not depend on the pieces")
  }
}

/// Bodies of several parts.
enum MultipartTarget: FuzzTarget {
  static let name = "multipart"

  static func run(_ input: [UInt8]) {
    requireSame(input) { chunks in
      var parser = Graph.MultipartParser(boundary: "-", maximumByteCount: 1 << 20)
      let parts = chunks.flatMap { parser.feed($0) }
      if let failure = parser.failure { throw failure }
      return Reading(elements: parts, end: "\(parser.isComplete)")
    }
  }
}

/// Server-sent events.
enum EventStreamTarget: FuzzTarget {
  static let name = "event-stream"

  static func run(_ input: [UInt8]) {
    requireSame(input) { chunks in
      var parser = Graph.EventStreamParser(maximumByteCount: 1 << 20)
      let events = chunks.flatMap { parser.feed($0) }
      if let failure = parser.failure { throw failure }
      return Reading(elements: events, end: parser.lastEventID)
    }
  }
}

/// A server's side of a web socket, from its first byte or from the first byte after a valid
/// handshake.
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
        let (more, problem) = core.receive(chunk)
        events += more
        failure = problem.map { "\($0)" }
      }
      var output: [UInt8] = []
      while let bytes = core.takeOutput() { output += bytes }
      return (events, failure, output)
    } catch {
      fatalError("the request of the handshake is rejected: \(error)")
    }
  }

  private static let url: URL = {
    guard let url = URL(string: "http://localhost/graphql") else {
      fatalError("the URL is invalid")
    }
    return url
  }()

  static func run(_ input: [UInt8]) {
    let (whole, pieces) = input.pieces
    let start = (input.first ?? 0) & 0x80 == 0 ? accepted : []
    let once = outcome([start + whole])
    let cut = outcome([start] + pieces)
    require(once.error == cut.error, "the error does not depend on the pieces")
    require(cut.events == once.events, "the events do not depend on the pieces")
  }
}
