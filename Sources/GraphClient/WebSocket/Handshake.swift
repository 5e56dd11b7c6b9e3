import Foundation

extension Graph {
  /// A client's part of the opening handshake (RFC 6455, section 4.1).
  struct Handshake: Sendable {
    /// The request as it is sent.
    let bytes: [UInt8]
    private let accept: String
    private let subprotocol: String

    /// - Parameter nonce: 16 random bytes, new for each connection.
    /// - Throws: ``TransportError`` with `invalidRequest`.
    init(
      _ request: HTTPRequest, subprotocol: String, nonce: [UInt8] = Self.randomNonce()
    ) throws(TransportError) {
      let key = Data(nonce).base64EncodedString()
      accept = Self.accept(for: key)
      self.subprotocol = subprotocol
      var headers = request.headers
      headers["Host"] = try Self.host(of: request.url)
      headers["Upgrade"] = "websocket"
      headers["Connection"] = "Upgrade"
      headers["Sec-WebSocket-Key"] = key
      headers["Sec-WebSocket-Version"] = "13"
      headers["Sec-WebSocket-Protocol"] = subprotocol
      for name in ["Sec-WebSocket-Extensions", "Content-Length", "Transfer-Encoding"] {
        headers[name] = nil
      }
      try headers.check()
      let lines =
        ["GET \(Self.target(of: request.url)) HTTP/1.1"]
        + headers.fields.map { "\($0.name): \($0.value)" }
      bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Checks the server's response.
    ///
    /// - Throws: ``TransportError`` with `invalidResponse`, with a ``HandshakeRefusal`` underlying
    ///   if the status is not 101.
    func check(_ head: HandshakeHead) throws(TransportError) {
      guard head.status == 101 else {
        throw TransportError(
          .invalidResponse,
          message: "the server rejected the web socket with status \(head.status)",
          underlying: HandshakeRefusal(status: head.status, headers: head.headers),
          bytesSent: true)
      }
      guard head.headers["Upgrade"]?.lowercased() == "websocket",
        head.headers["Connection"]?.lowercased().split(separator: ",")
          .contains(where: { String($0).trimmed == "upgrade" }) == true
      else { throw invalid("the server did not upgrade to a web socket") }
      guard head.headers["Sec-WebSocket-Accept"]?.trimmed == accept else {
        throw invalid("the server's Sec-WebSocket-Accept does not match the key")
      }
      guard head.headers["Sec-WebSocket-Extensions"] == nil else {
        throw invalid("the server uses an extension that was not offered")
      }
      guard head.headers["Sec-WebSocket-Protocol"]?.trimmed == subprotocol else {
        throw invalid("the server does not support the subprotocol \(subprotocol)")
      }
    }

    /// The server's expected response to `key`.
    static func accept(for key: String) -> String {
      let digest = SHA1.digest(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
      return Data(digest).base64EncodedString()
    }

    static func randomNonce() -> [UInt8] {
      (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
    }

    private func invalid(_ message: String) -> TransportError {
      TransportError(.invalidResponse, message: message, bytesSent: true)
    }
  }
}

extension Graph.Handshake {
  /// The address with the scheme of plain connections.
  ///
  /// - Throws: ``Graph/TransportError`` with `invalidRequest` if a web socket cannot have it.
  static func origin(of url: URL) throws(Graph.TransportError) -> String {
    let scheme: String? =
      switch url.scheme?.lowercased() {
      case "ws", "http": "http"
      case "wss", "https": "https"
      default: nil
      }
    guard let scheme else {
      throw Graph.TransportError(
        .invalidRequest, message: "the URL of a web socket must begin with ws or wss")
    }
    return "\(scheme)://\(try host(of: url))/"
  }

  private static func host(of url: URL) throws(Graph.TransportError) -> String {
    guard var host = url.host(percentEncoded: true), !host.isEmpty,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/\\@?#\"<>^`{|}".utf8.contains($0) })
    else {
      throw Graph.TransportError(.invalidRequest, message: "the URL has no valid host")
    }
    if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
    return url.port.map { "\(host):\($0)" } ?? host
  }

  /// Path and query; user information and fragment are not sent.
  private static func target(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    return "\(path.isEmpty ? "/" : path)\(query)"
  }
}
