import Foundation
import GraphJSON

import Loopback
@testable import GraphClient
@testable import GraphWebSocket

/// A server's side of a web socket, written after RFC 6455 and independent of the client's code.
final class Peer: Sendable {
  struct Frame: Equatable {
    let first: UInt8
    let payload: [UInt8]

    var opcode: UInt8 { first & 0x0F }
    /// The status code of a close frame.
    var code: Int? { payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
  }

  let request: LoopbackServer.Request
  private let connection: LoopbackConnection

  init(_ request: LoopbackServer.Request, _ connection: LoopbackConnection) {
    self.request = request
    self.connection = connection
  }

  func upgrade(subprotocol: String = "graphql-transport-ws") {
    let accept = Graph.Handshake.accept(for: request.headers["sec-websocket-key"] ?? "")
    connection.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(accept)\r\nSec-WebSocket-Protocol: \(subprotocol)\r\n\r\n")
  }

  func response(_ status: String, _ headers: [String] = []) { connection.response(status, headers) }

  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool { connection.write(bytes) }

  func send(_ text: String) { write(Self.frame(0x81, Array(text.utf8))) }

  func close(_ code: UInt16, _ reason: String = "") {
    write(Self.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)))
  }

  /// Ends the connection without a close frame.
  func drop() { connection.reset() }

  /// Blocks until the client has closed the connection.
  func waitForEnd() { while frame() != nil {} }

  /// The next frame of the client, unmasked; nil at the end, or for a frame that is not masked.
  func frame() -> Frame? {
    guard let head = connection.read(2), head[1] & 0x80 != 0 else { return nil }
    var count = Int(head[1] & 0x7F)
    if count >= 126 {
      guard let extended = connection.read(count == 126 ? 2 : 8) else { return nil }
      count = extended.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let key = connection.read(4), let masked = connection.read(count) else { return nil }
    let payload = masked.enumerated().map { $1 ^ key[$0 % 4] }
    return Frame(first: head[0], payload: payload)
  }

  /// The next message as JSON; nil when the client closes.
  func message() -> JSON? {
    while let frame = frame(), frame.opcode != 8 {
      if frame.opcode == 1 { return try? JSON(parsing: frame.payload) }
    }
    return nil
  }

  /// The next message of that type; others are skipped.
  func message(ofType type: String) -> JSON? {
    while let message = message() {
      if message["type"] == .string(type) { return message }
    }
    return nil
  }

  static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let length: [UInt8] =
      switch count {
      case ...125: [UInt8(count)]
      case ...0xFFFF: [126, UInt8(count >> 8), UInt8(count & 0xFF)]
      default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
      }
    return [first] + length + payload
  }
}

extension Peer {
  /// Follows `graphql-transport-ws` up to the acknowledgement.
  ///
  /// - Returns: the payload of `connection_init`.
  @discardableResult
  func acknowledge() -> JSON? {
    upgrade()
    let message = message(ofType: "connection_init")
    send(#"{"type":"connection_ack"}"#)
    return message?["payload"]
  }

  /// The ID of the client's next subscription.
  func subscription() -> String? {
    if case .string(let id)? = message(ofType: "subscribe")?["id"] { id } else { nil }
  }

  func tick(_ number: Int, for id: String?) {
    send(
      #"{"id":"\#(id ?? "")","type":"next","payload":{"data":{"tick":\#(number)}}}"#)
  }

  func complete(_ id: String?) { send(#"{"id":"\#(id ?? "")","type":"complete"}"#) }
}

extension LoopbackServer {
  /// A server of web sockets; `serve` runs on a thread per connection, with the connection's number
  /// from 0.
  static func webSocket(
    serve: @escaping @Sendable (Peer, Int) -> Void
  ) throws -> LoopbackServer {
    let count = Box(0)
    return try LoopbackServer { request, connection in
      let number = count.update { count in
        defer { count += 1 }
        return count
      }
      serve(Peer(request, connection), number)
      connection.close()
    }
  }
}
