import GraphQLRuntime

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

extension Graph {
  /// A server's response to an operation that may stream.
  enum StreamOrResponse {
    case stream(PayloadStream)
    /// A single response.
    case response(OperationResponse)
  }
}

extension Graph.Pipeline {
  /// Sends an operation whose response may stream. The interceptors wrap the opening, so that a
  /// refused token is refreshed as usual; for a stream they receive an empty response.
  ///
  /// - Parameters:
  ///   - request: a prepared request.
  ///   - accept: the media types that the response may have.
  ///   - idleTimeout: the maximum idle time of the stream.
  func open(
    _ request: Graph.OperationRequest, accept: String, idleTimeout: Duration?
  ) async throws -> Graph.StreamOrResponse {
    let record = Graph.SendingRecord()
    try await waitForHost(of: request, record)
    // Passes the stream to the caller outside the interceptors.
    let opened = Locked<Graph.PayloadStream?>(nil)
    let response = try await observed(request, number: 1) { request in
      try await intercepted(request, record) { [self] request in
        try await limited(request) { request in
          try await record.note(request) {
            let (stream, response) = try await self.exchange(request, accept, idleTimeout)
            // If an interceptor opened two, the last one counts.
            opened.withLock { $0 = stream }
            return response
          }
        }
      }
    }
    return opened.withLock { $0 }.map { .stream($0) } ?? .response(response)
  }
  /// - Returns: an empty response if there is a stream.
  private func exchange(
    _ request: Graph.OperationRequest, _ accept: String, _ idleTimeout: Duration?
  ) async throws -> (Graph.PayloadStream?, Graph.OperationResponse) {
    let http = exchange.streamRequest(request, accept: accept)
    try http.check()
    var observation = Graph.ExchangeObservation([request], http)
    do {
      let head = try await exchange.transport.send(http)
      observation?.status = head.status
      let limit = exchange.maximumResponseBytes
      let stream = Graph.PayloadStream(
        head, maximumByteCount: limit, idleTimeout: idleTimeout, time: time)
      if stream != nil {
        observation?.end(receivedBytes: 0)
        return (
          stream,
          Graph.OperationResponse(
            status: head.status, headers: head.headers, content: .none, bytes: [])
        )
      }
      let bytes = try await head.body.collect(upTo: limit)
      observation?.end(receivedBytes: bytes.count)
      return (
        nil,
        try Graph.ResponseReader(request: request)
          .read(status: head.status, headers: head.headers, bytes: bytes)
      )
    } catch {
      observation?.end(receivedBytes: 0)
      throw error
    }
  }
}
