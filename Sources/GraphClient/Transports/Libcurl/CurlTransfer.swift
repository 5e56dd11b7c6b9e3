#if !canImport(Darwin)
  import CCurl
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// One request and its response, shared by the task that waits for it and the thread of its
    /// loop.
    ///
    /// Either side may end it at any time. Every continuation is removed from the state before it
    /// is resumed, so each resumes once.
    final class CurlTransfer: Sendable {
      struct State {
        /// libcurl's side of the transfer; nil before its start and after its end.
        var handle: Handle?
        /// The deadline of the response; nil without a limit.
        var deadline: ContinuousClock.Instant?
        var head: (status: Int, headers: Headers)?
        var headWaiter: CheckedContinuation<Void, any Error>?
        var unread: [UInt8] = []
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        /// Whether libcurl has paused until unread bytes have been read.
        var isHeldBack = false
        /// Set once: the outcome of the transfer.
        var end: Result<Void, TransportError>?
      }

      // Safe: the functions that take it may be called from any thread until it is released, which
      // happens after them because of the state's lock.
      @safe struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
      }

      let state = Locked(State())
      let request: HTTPRequest
      let upload: UploadStream?
      let loop: CurlLoop
      private let maximumUnreadBytes: Int

      init(
        _ request: HTTPRequest, upload: UploadStream?, on loop: CurlLoop, maximumUnreadBytes: Int
      ) {
        self.request = request
        self.upload = upload
        self.loop = loop
        self.maximumUnreadBytes = maximumUnreadBytes
      }

      /// The head of the response, and also the body if the request needs it as a whole.
      ///
      /// - Parameters:
      ///   - timeout: the remaining time of the request.
      ///   - needsNewConnection: whether a reused connection is not allowed.
      func response(timeout: Duration?, needsNewConnection: Bool) async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            let end = state.withLock { state -> Result<Void, TransportError>? in
              guard state.end == nil else { return state.end }
              state.deadline = timeout.map { ContinuousClock.now + $0 }
              state.handle = start(timeout: timeout, needsNewConnection: needsNewConnection)
              if state.handle == nil {
                state.end = .failure(
                  TransportError(
                    .unsupported, message: "there is not enough memory for the request"))
              } else {
                state.headWaiter = continuation
              }
              return state.end
            }
            if case .failure(let error) = end {
              continuation.resume(throwing: error)
            } else {
              monitorDeadline()
            }
          }
        } onCancel: {
          abandon(.cancelled(bytesSent: state.withLock { $0.handle != nil }))
        }
        guard let head = state.withLock({ $0.head }) else {
          preconditionFailure("a transfer without a response head did not throw an error")
        }
        return HTTPResponse(
          status: head.status, headers: head.headers, url: request.url,
          body: HTTPResponse.Body(CurlBody(self)))
      }

      // MARK: Events of the loop

      /// - Returns: whether the time of the response is unlimited from now on.
      func didReceiveHead(status: Int, bytes: [UInt8]) -> Bool {
        let headers = Headers(head: bytes)
        let isUnlimited =
          request.allowsStreaming && HTTPResponse.isStream(status: status, headers: headers)
        let waiter = state.withLock { state in
          state.head = (status, headers)
          if isUnlimited { state.deadline = nil }
          return request.wholeResponseLimit == nil ? state.headWaiter.take() : nil
        }
        waiter?.resume()
        return isUnlimited
      }

      // Safe: the bytes are valid during the call, which copies them.
      func didReceive(_ bytes: UnsafeRawBufferPointer) -> ccurl_flow {
        let (flow, reader, chunk, isTooLarge) = state.withLock {
          state -> (ccurl_flow, CheckedContinuation<[UInt8]?, any Error>?, [UInt8], Bool) in
          guard state.end == nil else { return (CCURL_STOP, nil, [], false) }
          if let limit = request.wholeResponseLimit {
            let isTooLarge = state.unread.count + bytes.count > limit
            if !isTooLarge { unsafe state.unread.append(contentsOf: bytes) }
            return (isTooLarge ? CCURL_STOP : CCURL_TAKEN, nil, [], isTooLarge)
          }
          guard state.unread.count < maximumUnreadBytes else {
            state.isHeldBack = true
            return (CCURL_LATER, nil, [], false)
          }
          unsafe state.unread.append(contentsOf: bytes)
          guard let reader = state.reader.take() else { return (CCURL_TAKEN, nil, [], false) }
          return (CCURL_TAKEN, reader, state.takeUnread(), false)
        }
        reader?.resume(returning: chunk)
        if isTooLarge, let limit = request.wholeResponseLimit {
          finish(
            .failure(
              TransportError(
                .tooLarge, message: "the response has more than \(limit) bytes", bytesSent: true)))
        }
        return flow
      }

      /// The last event.
      // Safe: the handle is removed from the state before it is released.
      func didEnd(_ end: Result<Void, TransportError>) {
        finish(end)
        if let handle = state.withLock({ $0.handle.take() }) {
          unsafe ccurl_release(handle.pointer)
        }
        loop.deadlineMonitor.remove(self)
      }

      // MARK: Reading

      /// The bytes that arrived since the last call, or as soon as some arrive; nil at the end.
      func nextChunk() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<[UInt8]?, any Error>? in
              if !state.unread.isEmpty { return .success(state.takeUnread()) }
              if let end = state.end { return end.map { nil }.mapError { $0 } }
              guard state.reader == nil else {
                return .failure(
                  TransportError(.invalidRequest, message: "two tasks read the same body"))
              }
              state.reader = continuation
              return nil
            }
            if let result { continuation.resume(with: result) }
          }
        } onCancel: {
          abandon(.cancelled(bytesSent: true))
        }
      }

      /// More of the request's body can be read.
      // Safe: the state's lock is held, so that the handle is not released meanwhile.
      func resume() {
        state.withLock { state in
          if let handle = state.handle { unsafe ccurl_resume(handle.pointer) }
        }
      }

      /// Ends the transfer here and on the network; what arrives later is ignored.
      // Safe: the state's lock is held, so that the handle is not released meanwhile.
      func abandon(_ error: TransportError) {
        guard finish(.failure(error)) else { return }
        state.withLock { state in
          if let handle = state.handle { unsafe ccurl_cancel(handle.pointer) }
        }
      }

      /// Monitors the transfer from a thread other than the loop's until the last event.
      private func monitorDeadline() {
        loop.deadlineMonitor.add(self)
        // The last event may have happened before.
        if state.withLock({ $0.handle == nil }) { loop.deadlineMonitor.remove(self) }
      }

      /// Ends the transfer when its deadline has passed and its loop has not noticed.
      // Safe: the state's lock is held, so that the handle is not released meanwhile.
      func giveUp(ifLateAt now: ContinuousClock.Instant) {
        let wasSent = state.withLock { state -> Bool? in
          guard state.end == nil, let deadline = state.deadline, deadline <= now else { return nil }
          return state.handle.map { unsafe ccurl_give_up($0.pointer) }
        }
        guard let wasSent else { return }
        finish(
          .failure(
            TransportError(.timedOut, message: "the request timed out", bytesSent: wasSent)))
      }

      @discardableResult
      private func finish(_ end: Result<Void, TransportError>) -> Bool {
        let waiting = state.withLock {
          state -> (
            CheckedContinuation<Void, any Error>?, CheckedContinuation<[UInt8]?, any Error>?
          )?
          in
          guard state.end == nil else { return nil }
          state.end = end
          if case .failure(let error) = end, error.endsReading { state.unread = [] }
          return (state.headWaiter.take(), state.reader.take())
        }
        guard let (headWaiter, reader) = waiting else { return false }
        headWaiter?.resume(with: end)
        reader?.resume(with: end.map { nil })
        return true
      }
    }
  }

  extension Graph.CurlTransfer.State {
    // Safe: the state is locked, so that the handle is not released meanwhile.
    fileprivate mutating func takeUnread() -> [UInt8] {
      let bytes = unread
      unread = []
      if isHeldBack {
        isHeldBack = false
        if let handle { unsafe ccurl_resume(handle.pointer) }
      }
      return bytes
    }
  }

  /// The body of a response. It ends its transfer when nothing can read it any more.
  private struct CurlBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private final class Reader: Sendable {
      let transfer: Graph.CurlTransfer

      init(_ transfer: Graph.CurlTransfer) { self.transfer = transfer }

      deinit { transfer.abandon(.cancelled(bytesSent: true)) }
    }

    private let reader: Reader

    init(_ transfer: Graph.CurlTransfer) { reader = Reader(transfer) }

    func makeAsyncIterator() -> CurlBody { self }
    func next() async throws -> [UInt8]? { try await reader.transfer.nextChunk() }
  }
#endif

#if !canImport(Darwin)
  extension Graph.Headers {
    /// The fields of a response's head, from its status line to its empty line (RFC 9112, section 5).
    ///
    /// A line that begins with white space continues the previous one (section 5.2). Lines that are
    /// not fields are skipped.
    init(head: [UInt8]) {
      var fields: [Field] = []
      let lines = head.split(separator: UInt8(ascii: "\n")).dropFirst()
      fields.reserveCapacity(lines.count)
      for line in lines {
        if line.first == 0x20 || line.first == 0x09 {
          guard let last = fields.popLast() else { continue }
          fields.append(Field(name: last.name, value: "\(last.value) \(Self.text(line))"))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
          let name = Self.text(line[..<colon])
          fields.append(Field(name: name, value: Self.text(line[(colon + 1)...])))
        }
      }
      self.init(fields)
    }

    /// White space and the remainder of a line's end.
    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// The bytes without surrounding white space; a carriage return inside counts as a space (RFC
    /// 9110, section 5.5).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
      var bytes = bytes
      while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
      while let last = bytes.last, isSpace(last) { bytes.removeLast() }
      guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
      return String(decoding: bytes.map { $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }
  }
#endif
