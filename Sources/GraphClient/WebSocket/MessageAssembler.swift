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
