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
