extension Graph {
  /// The JSON payloads of one streamed response, over any protocol.
  struct PayloadStream: Sendable {
    private enum Form: Sendable {
      case events(EventStreamParser)
      case multipart(MultipartParser)
      case socket(SocketStream)
    }

    /// An element of the stream.
    enum Element: Equatable, Sendable {
      case payload([UInt8])
      /// The stream has ended correctly.
      case complete
    }

    private var form: Form
    private let chunks: ChunkReader
    private var pending: [Element] = []

    /// - Parameters:
    ///   - maximumByteCount: the maximum number of bytes of one payload.
    ///   - idleTimeout: the maximum idle time.
    /// - Returns: nil if the response is not a stream.
    init?(
      _ head: HTTPResponse, maximumByteCount: Int, idleTimeout: Duration?, time: any TimeSource
    ) {
      guard head.isStream else { return nil }
      let type = MediaType(head.headers["Content-Type"])
      form =
        type?.essence == MediaType.eventStream
        ? .events(EventStreamParser(maximumByteCount: maximumByteCount))
        : .multipart(
          MultipartParser(
            boundary: type?.parameters["boundary"] ?? "-", maximumByteCount: maximumByteCount))
      chunks = ChunkReader(head.body, idleTimeout: idleTimeout, time: time)
    }

    /// The payloads of a subscription over a web socket.
    init(_ stream: SocketStream) {
      form = .socket(stream)
      chunks = ChunkReader(HTTPResponse.Body([]), idleTimeout: nil, time: SystemTime())
    }

    /// The last event's `id`, for a connection that continues after this one.
    var lastEventID: String? {
      if case .events(let parser) = form { parser.lastEventID } else { nil }
    }

    /// The next payload, or the end.
    ///
    /// - Throws: ``TransportError`` with `connectionLost` if the stream ends early, or nothing
    ///   arrives for too long.
    nonisolated(nonsending) mutating func next() async throws -> Element {
      if case .socket(let stream) = form {
        return try await stream.next().map { .payload($0) } ?? .complete
      }
      while true {
        if !pending.isEmpty { return pending.removeFirst() }
        if let part = earlyPart() { return .payload(part) }
        guard let chunk = try await chunks.next() else {
          throw TransportError(
            .connectionLost, message: "the stream ended before it was complete", bytesSent: true)
        }
        pending = try elements(chunk)
      }
    }

    private mutating func earlyPart() -> [UInt8]? {
      guard case .multipart(var parser) = form else { return nil }
      defer { form = .multipart(parser) }
      return parser.earlyPart()
    }

    private mutating func elements(_ chunk: [UInt8]) throws -> [Element] {
      switch form {
      case .events(var parser):
        let events = try parser.feed(chunk)
        form = .events(parser)
        return events.compactMap { event in
          switch event.type {
          case "complete": .complete
          case "next", "message": event.data.isEmpty ? nil : .payload(Array(event.data.utf8))
          default: nil
          }
        }
      case .multipart(var parser):
        let parts = try parser.feed(chunk)
        form = .multipart(parser)
        // Some servers end a body with an empty part.
        return parts.filter { !$0.isEmpty }.map { .payload($0) }
          + (parser.isComplete ? [.complete] : [])
      case .socket: return []
      }
    }
  }
}
