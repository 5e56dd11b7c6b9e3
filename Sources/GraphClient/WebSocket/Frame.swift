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
