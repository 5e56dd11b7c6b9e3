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

extension Graph {
  /// The head of the server's response to the handshake (RFC 9112, sections 4 and 5).
  struct HandshakeHead: Sendable {
    let status: Int
    let headers: Headers

    init(_ bytes: [UInt8]) throws(TransportError) {
      guard let text = String(validUTF8: bytes) else { throw Self.malformed }
      var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
      let words = lines.popFirst()?.split(separator: " ", maxSplits: 2) ?? []
      guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0",
        words[1].utf8.count == 3, let status = Int(words[1]), status >= 100
      else { throw Self.malformed }
      self.status = status
      var headers = Headers()
      for line in lines where !line.isEmpty {
        guard let colon = line.firstIndex(of: ":") else { throw Self.malformed }
        headers.add(
          name: String(line[..<colon]), value: String(line[line.index(after: colon)...]).trimmed)
      }
      guard (try? headers.check()) != nil else { throw Self.malformed }
      self.headers = headers
    }

    fileprivate static var malformed: TransportError {
      TransportError(
        .invalidResponse, message: "the response to the handshake is not HTTP", bytesSent: true)
    }
  }

  /// Collects the head of the response from bytes as they arrive.
  struct HandshakeHeadParser {
    static let maximumByteCount = 16384

    private var bytes: [UInt8] = []

    /// The head when it is complete. The bytes that were read are removed from `bytes`; frames may
    /// follow.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(TransportError) -> HandshakeHead? {
      while let byte = bytes.popFirst() {
        self.bytes.append(byte)
        if byte == UInt8(ascii: "\n"), self.bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
          return try HandshakeHead(self.bytes)
        }
        guard self.bytes.count < Self.maximumByteCount else { throw HandshakeHead.malformed }
      }
      return nil
    }
  }
}
