extension Graph {
  /// The JSON payloads of one streamed response, over any protocol.
  struct PayloadStream: Sendable {
    /// An element of the stream.
    enum Element: Equatable, Sendable {
      case payload([UInt8])
      /// The stream has ended correctly.
      case complete
    }

    // One of the three. Parsers in cases of an enum would be copied, with all bytes of an unfinished part, for each
    // chunk.
    private var events: EventStreamParser?
    private var multipart: MultipartParser?
    private var socket: SocketStream?
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
      if type?.essence == MediaType.eventStream {
        events = EventStreamParser(maximumByteCount: maximumByteCount)
      } else {
        multipart = MultipartParser(
          boundary: type?.parameters["boundary"] ?? "-", maximumByteCount: maximumByteCount)
      }
      chunks = ChunkReader(head.body, idleTimeout: idleTimeout, time: time)
    }

    /// The payloads of a subscription over a web socket.
    init(_ stream: SocketStream) {
      socket = stream
      chunks = ChunkReader(HTTPResponse.Body([]), idleTimeout: nil, time: SystemTime())
    }

    /// The last event's `id`, for a connection that continues after this one.
    var lastEventID: String? { events?.lastEventID }

    /// The next payload, or the end.
    ///
    /// - Throws: ``TransportError`` with `connectionLost` if the stream ends early, or nothing
    ///   arrives for too long, and with `tooLarge` after the payloads before such a one.
    nonisolated(nonsending) mutating func next() async throws -> Element {
      if let socket { return try await socket.next().map { .payload($0) } ?? .complete }
      while true {
        if !pending.isEmpty { return pending.removeFirst() }
        if let failure = events?.failure ?? multipart?.failure { throw failure }
        if let part = multipart?.earlyPart() { return .payload(part) }
        guard let chunk = try await chunks.next() else {
          throw TransportError(
            .connectionLost, message: "the stream ended before it was complete", bytesSent: true)
        }
        pending = elements(chunk)
      }
    }

    private mutating func elements(_ chunk: [UInt8]) -> [Element] {
      if let events = events?.feed(chunk) {
        return events.compactMap { event in
          switch event.type {
          case "complete": .complete
          case "next", "message": event.data.isEmpty ? nil : .payload(Array(event.data.utf8))
          default: nil
          }
        }
      }
      let parts = multipart?.feed(chunk) ?? []
      // Some servers end a body with an empty part.
      return parts.filter { !$0.isEmpty }.map { .payload($0) }
        + (multipart?.isComplete == true ? [.complete] : [])
    }
  }
}
