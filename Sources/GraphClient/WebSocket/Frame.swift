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
