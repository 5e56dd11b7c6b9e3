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
