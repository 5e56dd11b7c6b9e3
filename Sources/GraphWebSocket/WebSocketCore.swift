import Foundation
import GraphClient
import GraphQLRuntime

extension Graph {
  /// The client side of a web socket without input and output (RFC 6455): it turns the server's
  /// bytes into events and bytes for the server.
  struct WebSocketCore: Sendable {
    enum Event: Equatable {
      case opened
      case message(WebSocketMessage)
      /// The server has sent a close frame; pending bytes are still sent.
      case closed(WebSocketClosure)
    }

    private enum Phase {
      case handshaking(HandshakeHeadParser)
      case open
      /// Our close frame was sent, the server's has not arrived.
      case closing
      case closed
    }

    private let handshake: Handshake
    private let mask: @Sendable () -> UInt32
    private let maximumQueuedBytes: Int
    private var phase = Phase.handshaking(HandshakeHeadParser())
    private var assembler: MessageAssembler
    private var output = FIFOQueue<[UInt8]>()
    private var outputByteCount = 0
    /// Only the last ping needs a pong (section 5.5.3), so a flood of them costs nothing.
    private var pendingPing: [UInt8]?

    /// - Parameters:
    ///   - maximumMessageBytes: the limit of a received message, and of all unsent ones.
    ///   - mask: a new random key for each frame.
    init(
      _ handshake: Handshake, maximumMessageBytes: Int,
      mask: @escaping @Sendable () -> UInt32 = { .random(in: 0 ... .max) }
    ) {
      self.handshake = handshake
      self.mask = mask
      maximumQueuedBytes = maximumMessageBytes
      assembler = MessageAssembler(maximumByteCount: maximumMessageBytes)
      enqueue(handshake.bytes)
    }

    /// Whether nothing more can arrive.
    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// The bytes to send next.
    mutating func takeOutput() -> [UInt8]? {
      if let bytes = output.popFirst() {
        outputByteCount -= bytes.count
        return bytes
      }
      defer { pendingPing = nil }
      return pendingPing.map { Frame(opcode: .pong, payload: $0).bytes(mask: mask()) }
    }

    /// The events that the server's bytes cause, followed by a protocol violation, if any; the
    /// output then contains a close frame for it.
    mutating func receive(_ bytes: [UInt8]) -> (events: [Event], failure: TransportError?) {
      var events: [Event] = []
      do {
        try receive(bytes, &events)
        return (events, nil)
      } catch {
        return (events, error)
      }
    }

    private mutating func receive(
      _ bytes: [UInt8], _ events: inout [Event]
    ) throws(TransportError) {
      var bytes = bytes[...]
      if case .handshaking(var parser) = phase {
        guard let head = try parser.next(&bytes) else {
          phase = .handshaking(parser)
          return
        }
        try handshake.check(head)
        phase = .open
        events.append(.opened)
      }
      do {
        while !isClosed, let element = try assembler.next(&bytes) {
          if let event = handle(element) { events.append(event) }
        }
      } catch {
        if case .open = phase { send(closing: WebSocketClosure(code: error.closeCode)) }
        phase = .closed
        throw TransportError(error)
      }
    }

    /// - Throws: `TransportError` with `tooLarge` if the unsent bytes exceed the limit.
    mutating func send(_ message: WebSocketMessage) throws(TransportError) {
      guard case .open = phase else { return }
      let frame =
        switch message {
        case .text(let text): Frame(opcode: .text, payload: Array(text.utf8))
        case .binary(let bytes): Frame(opcode: .binary, payload: bytes)
        }
      guard outputByteCount + frame.payload.count <= maximumQueuedBytes else {
        throw TransportError(
          .tooLarge, message: "more than \(maximumQueuedBytes) bytes are waiting to be sent")
      }
      enqueue(frame.bytes(mask: mask()))
    }

    /// Starts the closing handshake (section 7.1.2).
    mutating func close(_ closure: WebSocketClosure) {
      guard case .open = phase else { return }
      send(closing: closure)
      phase = .closing
    }

    private mutating func handle(_ element: MessageAssembler.Element) -> Event? {
      switch (element, phase) {
      case (.message(let message), .open): return .message(message)
      case (.ping(let payload), .open): pendingPing = payload
      case (.close(let closure), .open):
        send(closing: closure)
        phase = .closed
        return .closed(closure)
      case (.close(let closure), _):
        phase = .closed
        return .closed(closure)
      default: break
      }
      return nil
    }

    private mutating func send(closing closure: WebSocketClosure) {
      let frame =
        closure.code == 1005
        ? Frame(opcode: .close, payload: []) : Frame(closing: closure)
      pendingPing = nil
      enqueue(frame.bytes(mask: mask()))
    }

    private mutating func enqueue(_ bytes: [UInt8]) {
      output.append(bytes)
      outputByteCount += bytes.count
    }
  }
}

extension Graph {
  /// Combines frames into messages (RFC 6455, section 5.4). Control frames may occur between the
  /// fragments of a message.
  struct MessageAssembler {
    enum Element: Equatable {
      case message(WebSocketMessage)
      case ping([UInt8])
      case pong
      case close(WebSocketClosure)
    }

    private let maximumByteCount: Int
    private var parser = FrameParser()
    /// The message whose last fragment has not arrived.
    private var kind: Frame.Opcode?
    private var fragments: [UInt8] = []
    private var emptyFragmentCount = 0

    /// - Parameter maximumByteCount: the maximum number of bytes of one message, all fragments
    ///   together. An empty fragment counts as one byte, so that no message is endless.
    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// The next element, nil if `bytes` ends before it does. The bytes that were read are removed
    /// from `bytes`.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(FrameError) -> Element? {
      while true {
        let rest = maximumByteCount - fragments.count - emptyFragmentCount
        let frame: Frame?
        do {
          frame = try parser.next(&bytes, maximumByteCount: rest)
        } catch .messageTooLarge {
          throw .messageTooLarge(limit: maximumByteCount)
        }
        guard let frame else { return nil }
        if let element = try element(frame) { return element }
      }
    }

    private mutating func element(_ frame: Frame) throws(FrameError) -> Element? {
      switch frame.opcode {
      case .ping: return .ping(frame.payload)
      case .pong: return .pong
      case .close: return .close(try frame.closure)
      case .text, .binary:
        guard kind == nil else { throw .unfinishedMessage }
        guard !frame.isFinal else {
          return .message(try message(frame.opcode, frame.payload))
        }
        kind = frame.opcode
        fragments = frame.payload
        return nil
      case .continuation:
        guard let kind else { throw .unexpectedContinuation }
        fragments += frame.payload
        guard frame.isFinal else {
          if frame.payload.isEmpty { emptyFragmentCount += 1 }
          guard fragments.count + emptyFragmentCount <= maximumByteCount else {
            throw .messageTooLarge(limit: maximumByteCount)
          }
          return nil
        }
        defer { (self.kind, fragments, emptyFragmentCount) = (nil, [], 0) }
        return .message(try message(kind, fragments))
      }
    }

    private func message(
      _ kind: Frame.Opcode, _ bytes: [UInt8]
    ) throws(FrameError) -> WebSocketMessage {
      guard kind == .text else { return .binary(bytes) }
      guard let text = String(validUTF8: bytes) else { throw .invalidUTF8 }
      return .text(text)
    }
  }
}

extension Graph {
  /// One frame of the protocol (RFC 6455, section 5.2).
  struct Frame: Equatable {
    enum Opcode: UInt8 {
      case continuation = 0x0
      case text = 0x1
      case binary = 0x2
      case close = 0x8
      case ping = 0x9
      case pong = 0xA

      var isControl: Bool { rawValue & 0x8 != 0 }
    }

    static let maximumControlByteCount = 125

    var isFinal = true
    var opcode: Opcode
    var payload: [UInt8]

    /// The frame as a client sends it.
    ///
    /// - Parameter mask: unpredictable, and new for each frame (section 10.3).
    func bytes(mask: UInt32) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(payload.count + 14)
      bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
      switch payload.count {
      case ...125: bytes.append(0x80 | UInt8(payload.count))
      case ...0xFFFF:
        bytes.append(0x80 | 126)
        bytes.append(bigEndian: UInt16(payload.count))
      default:
        bytes.append(0x80 | 127)
        bytes.append(bigEndian: UInt64(payload.count))
      }
      var key: [UInt8] = []
      key.append(bigEndian: mask)
      bytes += key
      for index in payload.indices { bytes.append(payload[index] ^ key[index & 3]) }
      return bytes
    }
  }
}

extension Graph.Frame {
  /// A close frame; the reason is truncated between characters to the frame's limit.
  init(closing closure: Graph.WebSocketClosure) {
    var reason = closure.reason
    while reason.utf8.count > Self.maximumControlByteCount - 2 { reason.removeLast() }
    var payload: [UInt8] = []
    payload.append(bigEndian: closure.code)
    self.init(opcode: .close, payload: payload + reason.utf8)
  }

  /// The contents of a close frame's body (section 5.5.1).
  var closure: Graph.WebSocketClosure {
    get throws(Graph.FrameError) {
      guard !payload.isEmpty else { return Graph.WebSocketClosure(code: 1005) }
      guard payload.count >= 2 else { throw .invalidClose }
      let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
      guard Self.mayBeSent(code) else { throw .invalidClose }
      guard let reason = String(validUTF8: payload[2...]) else {
        throw .invalidUTF8
      }
      return Graph.WebSocketClosure(code: code, reason: reason)
    }
  }

  /// Codes that are defined and not reserved for use within an endpoint (section 7.4).
  static func mayBeSent(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

extension Graph {
  /// Splits a server's bytes into frames as they arrive (RFC 6455, section 5.2). It keeps at most a
  /// header and one payload, whose announced length is checked before any of it is kept.
  struct FrameParser {
    private struct Header {
      var isFinal: Bool
      var opcode: Frame.Opcode
      var byteCount: Int
    }

    /// The bytes of an incomplete header, at most ten.
    private var start: [UInt8] = []
    private var header: Header?
    private var payload: [UInt8] = []

    /// The next frame, nil if `bytes` ends before it does. The bytes that were read are removed
    /// from `bytes`, so that a header's limits can depend on earlier frames.
    ///
    /// - Parameter maximumByteCount: the maximum number of bytes of a data frame.
    mutating func next(
      _ bytes: inout ArraySlice<UInt8>, maximumByteCount: Int
    ) throws(FrameError) -> Frame? {
      while header == nil {
        guard let byte = bytes.popFirst() else { return nil }
        start.append(byte)
        try readHeader(maximumByteCount)
      }
      guard let header else { return nil }
      let part = bytes.prefix(header.byteCount - payload.count)
      payload += part
      bytes = bytes.dropFirst(part.count)
      guard payload.count == header.byteCount else { return nil }
      let frame = Frame(isFinal: header.isFinal, opcode: header.opcode, payload: payload)
      self.header = nil
      payload = []
      return frame
    }

    private mutating func readHeader(_ maximumByteCount: Int) throws(FrameError) {
      guard let opcode = try opcode(start[0]), start.count >= 2 else { return }
      guard start[1] & 0x80 == 0 else { throw .masked }
      let isFinal = start[0] & 0x80 != 0
      if opcode.isControl {
        guard isFinal else { throw .fragmentedControl }
        guard start[1] <= Frame.maximumControlByteCount else { throw .longControl }
      }
      guard let count = try byteCount() else { return }
      guard opcode.isControl || count <= maximumByteCount else {
        throw .messageTooLarge(limit: maximumByteCount)
      }
      header = Header(isFinal: isFinal, opcode: opcode, byteCount: count)
      start = []
    }

    private func opcode(_ byte: UInt8) throws(FrameError) -> Frame.Opcode? {
      guard byte & 0x70 == 0 else { throw .reservedBits }
      guard let opcode = Frame.Opcode(rawValue: byte & 0x0F) else {
        throw .unknownOpcode(byte & 0x0F)
      }
      return opcode
    }

    /// nil until the whole length has arrived.
    private func byteCount() throws(FrameError) -> Int? {
      let extended =
        switch start[1] {
        case 126: 2
        case 127: 8
        default: 0
        }
      guard start.count == 2 + extended else { return nil }
      guard extended > 0 else { return Int(start[1]) }
      let count = start[2...].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
      guard let count = Int(exactly: count), count > (extended == 2 ? 125 : 0xFFFF) else {
        throw .invalidLength
      }
      return count
    }
  }
}

extension Graph {
  /// A violation of RFC 6455 in a server's frames. Each ends the connection with ``closeCode``.
  public enum FrameError: Error, Sendable, Hashable {
    /// A bit that only an extension may set; none was negotiated (section 5.2).
    case reservedBits
    case unknownOpcode(UInt8)
    /// Servers do not mask (section 5.1).
    case masked
    /// A control frame in fragments (section 5.5).
    case fragmentedControl
    /// A control frame of more than 125 bytes.
    case longControl
    /// A length written with more bytes than it needs, or above 2^63 (section 5.2).
    case invalidLength
    /// A continuation without a message (section 5.4).
    case unexpectedContinuation
    /// A new message before the last one was complete.
    case unfinishedMessage
    /// Text, or a close reason, that is not UTF-8 (section 8.1).
    case invalidUTF8
    /// A close frame whose body is one byte, or whose code must not be sent (section 7.4).
    case invalidClose
    /// A message of more bytes than the limit.
    case messageTooLarge(limit: Int)

    /// The status code for the server (section 7.4.1).
    public var closeCode: UInt16 {
      switch self {
      case .invalidUTF8: 1007
      case .messageTooLarge: 1009
      default: 1002
      }
    }
  }
}

extension Graph.FrameError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .reservedBits: "a frame has reserved bits set"
    case .unknownOpcode(let opcode): "a frame has the unknown opcode \(opcode)"
    case .masked: "a frame from the server is masked"
    case .fragmentedControl: "a control frame is fragmented"
    case .longControl: "a control frame has more than 125 bytes"
    case .invalidLength: "a frame's length is not in its shortest form"
    case .unexpectedContinuation: "a continuation frame does not belong to a message"
    case .unfinishedMessage: "a message begins before the previous message has ended"
    case .invalidUTF8: "a text is not valid UTF-8"
    case .invalidClose: "a close frame has an invalid status code"
    case .messageTooLarge(let limit): "a message has more than \(limit) bytes"
    }
  }
}

extension Graph.TransportError {
  /// The server's frames violate the protocol.
  init(_ error: Graph.FrameError) {
    let isTooLarge = if case .messageTooLarge = error { true } else { false }
    self.init(
      isTooLarge ? .tooLarge : .invalidResponse, message: "\(error)", underlying: error,
      bytesSent: true)
  }
}

extension Graph {
  /// A client's part of the opening handshake (RFC 6455, section 4.1).
  struct Handshake: Sendable {
    /// The request as it is sent.
    let bytes: [UInt8]
    private let accept: String
    private let subprotocol: String

    /// - Parameter nonce: 16 random bytes, new for each connection.
    /// - Throws: `TransportError` with `invalidRequest`.
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
    /// - Throws: `TransportError` with `invalidResponse`, with a ``HandshakeRefusal`` underlying
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

extension String {
  /// The text of bytes; nil if they are not UTF-8. `String(validating:as:)` needs macOS 15 or iOS 18.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    // Errors were replaced by other characters.
    guard text.hasUTF8(bytes) else { return nil }
    self = text
  }

  // Safe: both pointers have as many bytes as are compared.
  private mutating func hasUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    withUTF8 { own in
      let isEqual = bytes.withContiguousStorageIfAvailable { other in
        guard own.count == other.count else { return false }
        guard let first = own.baseAddress, let second = other.baseAddress else { return true }
        return unsafe memcmp(first, second, own.count) == 0
      }
      return unsafe isEqual ?? own.elementsEqual(bytes)
    }
  }
}
