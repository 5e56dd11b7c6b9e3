import GraphQLRuntime

extension Graph {
  /// The payloads of one operation, shared by the connection and the task that reads them.
  ///
  /// The continuation is removed from the state before it is resumed, so it resumes once.
  final class SocketChannel: Sendable {
    private struct State {
      var unread = FIFOQueue<[UInt8]>()
      var unreadByteCount = 0
      var reader: CheckedContinuation<[UInt8]?, any Error>?
      /// The outcome after the unread payloads.
      var end: Result<Void, QueryError>?
    }

    private let state = Locked(State())
    private let maximumUnreadBytes: Int

    init(maximumUnreadBytes: Int) { self.maximumUnreadBytes = maximumUnreadBytes }

    /// - Returns: false if too much is unread: the connection is shared, so a slow reader must not
    ///   block it.
    func push(_ payload: [UInt8]) -> Bool {
      let (reader, fits) = state.withLock {
        state -> (CheckedContinuation<[UInt8]?, any Error>?, Bool) in
        guard state.end == nil else { return (nil, true) }
        if let reader = state.reader.take() { return (reader, true) }
        state.unreadByteCount += payload.count
        state.unread.append(payload)
        return (nil, state.unreadByteCount <= maximumUnreadBytes)
      }
      reader?.resume(returning: payload)
      return fits
    }

    /// Ends with `cancelled` at once, without the unread payloads.
    func cancel() {
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        state.unread = FIFOQueue()
        state.end = .failure(.cancelled)
        return state.reader.take()
      }
      reader?.resume(throwing: QueryError.cancelled)
    }

    /// Ends after the unread payloads. The first end counts.
    func finish(_ end: Result<Void, QueryError>) {
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        guard state.end == nil else { return nil }
        state.end = end
        return state.reader.take()
      }
      reader?.resume(with: end.map { nil }.mapError { $0 })
    }

    /// The next payload, nil at the end. One task reads.
    func next() async throws -> [UInt8]? {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<[UInt8]?, any Error>? in
          if let payload = state.unread.popFirst() {
            state.unreadByteCount -= payload.count
            return .success(payload)
          }
          if let end = state.end { return end.map { nil }.mapError { $0 } }
          guard state.reader == nil else {
            return .failure(QueryError.violation("two tasks read the same subscription"))
          }
          state.reader = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }

  /// An operation over a web socket. Releasing it, or cancelling the task that reads, ends it.
  final class SocketStream: Sendable {
    private let socket: SubscriptionSocket
    private let id: String
    private let channel: SocketChannel

    init(_ socket: SubscriptionSocket, id: String, channel: SocketChannel) {
      self.socket = socket
      self.id = id
      self.channel = channel
    }

    deinit { socket.leave(id) }

    /// Whether the server may have received the operation.
    var wasSent: Bool { socket.wasSent(id) }

    /// The next payload, nil if the server has completed the operation.
    ///
    /// - Throws: ``QueryError`` if it has ended otherwise, including failed reconnections.
    func next() async throws -> [UInt8]? {
      try await withTaskCancellationHandler {
        try await channel.next()
      } onCancel: {
        channel.cancel()
        socket.leave(id)
      }
    }
  }
}
