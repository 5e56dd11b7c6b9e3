import Foundation
import GraphQLRuntime

extension Graph {
  /// One request in progress, shared by the session's delegate and the waiting tasks.
  ///
  /// Each event may happen at any time and on any thread. The first one that ends the transfer
  /// wins; every continuation is removed from the state before it is resumed, so each resumes once.
  final class URLSessionTransfer: Sendable {
    private struct State {
      var head: (status: Int, headers: Headers)?
      var headWaiter: CheckedContinuation<Void, any Error>?
      var unread: [UInt8] = []
      var reader: CheckedContinuation<[UInt8]?, any Error>?
      /// Set once: the outcome of the transfer.
      var end: Result<Void, TransportError>?
      /// Its entry in ``scheduler``.
      var deadline: Int?
      var deadlineSparesStreams = false
    }

    private let state = Locked(State())
    private let url: URL
    private let maximumUnreadBytes: Int
    /// Whether the head waits for the body.
    private let isWhole: Bool
    private let upload: UploadFile?
    private let scheduler: ActionScheduler
    private let stop: @Sendable () -> Void

    /// - Parameter isWhole: whether ``response(start:)`` returns only when the body has arrived as
    ///   well.
    init(
      url: URL, maximumUnreadBytes: Int, isWhole: Bool, upload: UploadFile?,
      scheduler: ActionScheduler,
      stop: @escaping @Sendable () -> Void
    ) {
      self.url = url
      self.maximumUnreadBytes = maximumUnreadBytes
      self.isWhole = isWhole
      self.upload = upload
      self.scheduler = scheduler
      self.stop = stop
    }

    /// The head of the response. `start` runs unless the transfer ended before: a task of an earlier process
    /// may end before anything waits for it.
    func response(start: () -> Void) async throws -> HTTPResponse {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let end = state.withLock { state -> Result<Void, TransportError>? in
            if state.end == nil { state.headWaiter = continuation }
            return state.end
          }
          switch end {
          case nil: start()
          case .failure(let error): continuation.resume(throwing: error)
          case .success: continuation.resume()
          }
        }
      } onCancel: {
        abandon(.cancelled(bytesSent: true))
      }
      guard let head = state.withLock({ $0.head }) else { throw TransportError.endedEarly }
      return HTTPResponse(
        status: head.status, headers: head.headers, url: url,
        body: HTTPResponse.Body(BodyChunks(reader: BodyReader(self))))
    }

    /// Ends the transfer with `timedOut` if `deadline` passes before it is complete.
    ///
    /// - Parameter sparesStreams: whether the deadline ends with the head of a streamed response.
    func limit(to deadline: ContinuousClock.Instant, sparesStreams: Bool) {
      let id = scheduler.add(deadline) {
        self.abandon(
          TransportError(.timedOut, message: "the request timed out", bytesSent: true))
      }
      let hasEnded = state.withLock { state in
        state.deadline = id
        state.deadlineSparesStreams = sparesStreams
        return state.end != nil
      }
      if hasEnded { scheduler.remove(id) }
    }

    // MARK: Events of the session

    /// - Returns: false if no task waits for the response.
    func didReceiveHead(status: Int, headers: Headers) -> Bool {
      let (isWanted, waiter, deadline) = state.withLock { state in
        state.head = (status, headers)
        // The body of a handled authentication challenge.
        state.unread = []
        return (
          state.end == nil, isWhole ? nil : exchange(&state.headWaiter, with: nil),
          state.deadlineSparesStreams && HTTPResponse.isStream(status: status, headers: headers)
            ? exchange(&state.deadline, with: nil) : nil
        )
      }
      if let deadline { scheduler.remove(deadline) }
      waiter?.resume()
      return isWanted
    }

    /// Adds a head that had no event of its own.
    func addHead(status: Int, headers: @autoclosure () -> Headers) {
      state.withLock { state in
        if state.head == nil { state.head = (status, headers()) }
      }
    }

    // Safe: the data keeps its bytes valid during the call, which copies them.
    func didReceive(_ data: Data) {
      var isTooLarge = false
      let (reader, bytes) = state.withLock {
        state -> (CheckedContinuation<[UInt8]?, any Error>?, [UInt8]) in
        guard state.end == nil else { return (nil, []) }
        unsafe data.withUnsafeBytes { unsafe state.unread.append(contentsOf: $0) }
        isTooLarge = state.unread.count > maximumUnreadBytes
        guard !isTooLarge, let reader = state.reader else { return (nil, []) }
        state.reader = nil
        return (reader, exchange(&state.unread, with: []))
      }
      reader?.resume(returning: bytes)
      if isTooLarge {
        abandon(
          TransportError(
            .tooLarge, message: "more than \(maximumUnreadBytes) bytes of the response are unread",
            bytesSent: true))
      }
    }

    func didComplete(_ error: TransportError?) {
      finish(error.map { .failure($0) } ?? .success(()))
    }

    // MARK: Reading

    /// The bytes that arrived since the last call, or as soon as some arrive; nil at the end.
    func nextChunk() async throws -> [UInt8]? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result = state.withLock { state -> Result<[UInt8]?, TransportError>? in
            if !state.unread.isEmpty { return .success(exchange(&state.unread, with: [])) }
            if let end = state.end { return end.map { nil } }
            precondition(state.reader == nil, "two tasks read the same body")
            state.reader = continuation
            return nil
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        abandon(.cancelled(bytesSent: true))
      }
    }

    /// Ends the transfer here and on the network; what arrives later is ignored.
    func abandon(_ error: TransportError) {
      if finish(.failure(error)) { stop() }
    }

    @discardableResult
    private func finish(_ end: Result<Void, TransportError>) -> Bool {
      let ended = state.withLock { state -> State? in
        guard state.end == nil else { return nil }
        let before = state
        state.end = end
        state.deadline = nil
        state.headWaiter = nil
        state.reader = nil
        if case .failure(let error) = end, error.endsReading { state.unread = [] }
        return before
      }
      guard let ended else { return false }
      if let deadline = ended.deadline { scheduler.remove(deadline) }
      upload?.remove()
      switch end {
      case .failure(let error):
        ended.headWaiter?.resume(throwing: error)
        ended.reader?.resume(throwing: error)
      case .success:
        if ended.head == nil {
          ended.headWaiter?.resume(throwing: TransportError.endedEarly)
        } else {
          ended.headWaiter?.resume()
        }
        ended.reader?.resume(returning: nil)
      }
      return true
    }
  }

  /// Ends its transfer when nothing can read the body any more.
  private final class BodyReader: Sendable {
    let transfer: URLSessionTransfer

    init(_ transfer: URLSessionTransfer) { self.transfer = transfer }

    deinit { transfer.abandon(.cancelled(bytesSent: true)) }
  }

  private struct BodyChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let reader: BodyReader

    func makeAsyncIterator() -> BodyChunks { self }
    func next() async throws -> [UInt8]? { try await reader.transfer.nextChunk() }
  }
}

extension Graph.TransportError {
  fileprivate static var endedEarly: Graph.TransportError {
    Graph.TransportError(
      .connectionLost, message: "the connection ended before a response", bytesSent: true)
  }

  static var staleConnection: Graph.TransportError {
    Graph.TransportError(
      .connectionLost, message: "the server had closed the reused connection",
      bytesSent: true)
  }

  package static func cancelled(bytesSent: Bool) -> Graph.TransportError {
    Graph.TransportError(.cancelled, message: "the request was cancelled", bytesSent: bytesSent)
  }
}

/// Puts `replacement` into `value` and returns the old value.
private func exchange<Value>(_ value: inout Value, with replacement: Value) -> Value {
  defer { value = replacement }
  return value
}
