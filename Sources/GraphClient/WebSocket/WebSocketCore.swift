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

    /// - Throws: ``TransportError`` with `tooLarge` if the unsent bytes exceed the limit.
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
