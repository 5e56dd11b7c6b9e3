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
