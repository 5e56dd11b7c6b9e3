import GraphClient

/// A body changed by faults: in pieces with pauses, and stopped early.
struct PacedBody: Sendable {
  let base: Graph.HTTPResponse.Body
  let pieces: (bytes: Int, pause: Duration)?
  let end: EarlyEnd?
  let wait: MockWait

  var body: Graph.HTTPResponse.Body {
    Graph.HTTPResponse.Body(
      PieceStream {
        var reader = Reader(base: base.makeAsyncIterator(), pieces: pieces, end: end, wait: wait)
        return { try await reader.next() }
      })
  }

  private struct Reader {
    var base: Graph.HTTPResponse.Body.Iterator
    let pieces: (bytes: Int, pause: Duration)?
    /// The early end; its count is reduced to the bytes that may still be sent.
    var end: EarlyEnd?
    var wait: MockWait
    /// Bytes of the base that were not sent yet.
    var pending: ArraySlice<UInt8> = []

    mutating func next() async throws -> [UInt8]? {
      if end?.bytes == 0 { try await stop() }
      while pending.isEmpty {
        guard let piece = try await base.next() else {
          try await stop()
          return nil
        }
        pending = piece[...]
      }
      if let pieces { try await wait.pause(pieces.pause) }
      let piece = pending.prefix(min(pieces?.bytes ?? .max, end?.bytes ?? .max))
      pending = pending.dropFirst(piece.count)
      end?.bytes -= piece.count
      return Array(piece)
    }

    /// Loses the connection, or waits until something else ends it.
    private mutating func stop() async throws(Graph.TransportError) {
      guard let end else { return }
      while end.isStalled { try await wait.pause(.seconds(86_400)) }
      throw .lost
    }
  }
}

/// Waits on a clock, for no longer than a request's timeout in total.
struct MockWait: Sendable {
  let clock: any Clock<Duration>
  /// The remaining time of the request's timeout; nil if it has none.
  var rest: Duration?

  /// The wait for elements of a stream; it has no limit if the request allows streams.
  func onStream(of request: Graph.HTTPRequest) -> MockWait {
    request.allowsStreaming ? MockWait(clock: clock, rest: nil) : self
  }

  mutating func pause(_ duration: Duration) async throws(Graph.TransportError) {
    let pause = min(duration, rest ?? duration)
    if pause > .zero {
      do {
        try await clock.sleep(for: pause)
      } catch {
        throw .cancelled
      }
    }
    if let rest, duration >= rest {
      throw Graph.TransportError(
        .timedOut, message: "the request timed out", bytesSent: true)
    }
    rest = rest.map { $0 - duration }
    if Task.isCancelled { throw .cancelled }
  }
}

extension Graph.TransportError {
  static var lost: Graph.TransportError {
    Graph.TransportError(
      .connectionLost, message: "the connection was lost in the middle of the response",
      bytesSent: true)
  }

  static var cancelled: Graph.TransportError {
    Graph.TransportError(.cancelled, message: "the request was cancelled", bytesSent: true)
  }
}

/// Pieces of a body, pulled as they are read.
struct PieceStream: AsyncSequence, Sendable {
  typealias Element = [UInt8]
  typealias Failure = any Error

  /// Begins the body.
  let begin: @Sendable () -> () async throws -> [UInt8]?

  func makeAsyncIterator() -> Iterator { Iterator(pull: begin()) }

  struct Iterator: AsyncIteratorProtocol {
    let pull: () async throws -> [UInt8]?

    mutating func next() async throws -> [UInt8]? { try await pull() }
  }
}
