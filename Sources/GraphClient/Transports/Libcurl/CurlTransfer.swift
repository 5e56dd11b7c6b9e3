#if !canImport(Darwin)
  import CCurl
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// libcurl's side of a transfer or connection.
    // Safe: the functions that take it may be called from any thread until it is released, which
    // happens after them because of the state's lock.
    @safe package struct CurlHandle: @unchecked Sendable {
      package let pointer: OpaquePointer

      package init(pointer: OpaquePointer) { unsafe self.pointer = pointer }
    }

    /// One request and its response, shared by the task that waits for it and the thread of its
    /// loop.
    ///
    /// Either side may end it at any time. Every continuation is removed from the state before it
    /// is resumed, so each resumes once.
    final class CurlTransfer: Sendable {
      struct State {
        /// libcurl's side of the transfer; nil before its start and after its end.
        var handle: CurlHandle?
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

#if !canImport(Darwin)
  import CCurl
  import Foundation

  extension Graph.CurlTransfer {
    /// Passes the request to the loop, which retains this object until the last event.
    ///
    /// - Returns: nil if memory is exhausted.
    // Safe: the call copies texts and bytes, which are valid during the call. The context is
    // retained here and released by the last event, or here if there will be none.
    func start(timeout: Duration?, needsNewConnection: Bool) -> Graph.CurlHandle? {
      let context = unsafe Unmanaged.passRetained(self).toOpaque()
      var events = Self.events
      var request = unsafe ccurl_request()
      unsafe request.is_post = self.request.method == .post
      unsafe request.needs_new_connection = needsNewConnection
      unsafe request.connect_milliseconds = curlMilliseconds(self.request.connectTimeout)
      unsafe request.milliseconds = curlMilliseconds(timeout)
      unsafe request.idle_milliseconds = curlMilliseconds(self.request.idleTimeout)
      let pointer = unsafe self.request.url.absoluteString.withCString { url in
        unsafe headerLines.withCString { headers in
          unsafe bytes.withUnsafeBytes { body -> OpaquePointer? in
            unsafe request.url = url
            unsafe request.headers = headers
            unsafe request.body = body.baseAddress
            unsafe request.body_count = Int64(upload?.byteCount ?? body.count)
            if upload != nil { unsafe request.body = nil }
            return unsafe ccurl_send_request(loop.pointer, &request, &events, context)
          }
        }
      }
      guard let pointer = unsafe pointer else {
        unsafe Unmanaged<Graph.CurlTransfer>.fromOpaque(context).release()
        return nil
      }
      return unsafe Graph.CurlHandle(pointer: pointer)
    }

    private var bytes: [UInt8] {
      if case .bytes(let bytes) = request.body { bytes } else { [] }
    }

    /// The fields in libcurl's form. A name without a value suppresses libcurl's own fields:
    /// `Expect`, and the media type of a form.
    private var headerLines: String {
      var text = "Expect:"
      var hasType = false
      var hasAgent = false
      for field in request.headers.fields where !Self.isOwn(field.name) {
        if case .multipart = request.body, Graph.Headers.isSame(field.name, "Content-Type") {
          continue
        }
        text += field.value.isEmpty ? "\n\(field.name);" : "\n\(field.name): \(field.value)"
        hasType = hasType || Graph.Headers.isSame(field.name, "Content-Type")
        hasAgent = hasAgent || Graph.Headers.isSame(field.name, "User-Agent")
      }
      if case .multipart(let form) = request.body {
        text += "\nContent-Type: \(form.contentType)"
      } else if !hasType {
        text += "\nContent-Type:"
      }
      // Some services refuse requests without this field.
      if !hasAgent { text += "\nUser-Agent: Treeswift" }
      return text
    }

    /// Whether a field frames the request, which only libcurl may set: a wrong length would turn
    /// the rest of the body into another request.
    private static func isOwn(_ name: String) -> Bool {
      ["Content-Length", "Transfer-Encoding", "Expect"].contains { Graph.Headers.isSame($0, name) }
    }

    // Safe: the context is this transfer, which the loop retains until the last event, and the
    // bytes are valid during the call.
    private static let events = unsafe ccurl_events(
      on_head: { context, status, head, count in
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: head, count: count))
        return unsafe transfer(context).didReceiveHead(status: Int(status), bytes: bytes)
      },
      on_body: { context, bytes, count in
        unsafe transfer(context).didReceive(UnsafeRawBufferPointer(start: bytes, count: count))
      },
      read_body: { context, bytes, capacity in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
        return unsafe transfer(context).upload?.read(into: buffer) ?? Int(CCURL_READ_FAILED)
      },
      on_end: { context, end in
        guard let context = unsafe context, let end = unsafe end?.pointee else { return }
        let transfer = unsafe Unmanaged<Graph.CurlTransfer>.fromOpaque(context).takeRetainedValue()
        transfer.didEnd(
          unsafe end.status == CCURL_OK
            ? .success(()) : unsafe .failure(Graph.TransportError(end)))
      })

    // Safe: the loop passes the context that it received, which it retains until the last event.
    private static func transfer(_ context: UnsafeMutableRawPointer?) -> Graph.CurlTransfer {
      guard let context = unsafe context else {
        preconditionFailure("a transfer has no context")
      }
      return unsafe Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
  }

  /// A limit as libcurl expects it: in milliseconds, where 0 means no limit. Rounded up, so that a short
  /// limit does not become 0 and no limit ends before its time.
  package func curlMilliseconds(_ duration: Duration?) -> Int64 {
    guard let duration else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds < Int64(Int32.max) else { return 0 }
    guard seconds >= 0 else { return 1 }
    return max(1, seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
#endif

#if !canImport(Darwin)
  import CCurl
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// A multipart body that is read from its files while it is sent. A queue reads ahead, since
    /// the sending thread must not wait for a disk.
    final class UploadStream: Sendable {
      private struct State {
        /// The bytes that were read but not sent.
        var bytes: [UInt8] = []
        var sentCount = 0
        /// The pieces that were not read to their end.
        var rest: ArraySlice<Piece>
        var isReading = false
        var hasFailed = false
        var whenReadable: (@Sendable () -> Void)?

        var unsentCount: Int { bytes.count - sentCount }
      }

      private struct Piece {
        let content: MultipartForm.Part.Content
        /// The unread bytes of a file; it must have that many.
        var byteCount: Int
        var file: FileHandle?
      }

      private static let readAheadCount = 1 << 18

      /// The number of bytes of the whole body.
      let byteCount: Int
      private let state: Locked<State>
      private let queue = DispatchQueue(label: "Graph.UploadStream")

      /// - Parameter deadline: the limit for opening the files.
      /// - Returns: nil if `body` is not a multipart form.
      /// - Throws: ``TransportError``: `invalidRequest` if a file cannot be read, and `cancelled`
      ///   if the calling task is cancelled during the call.
      init?(_ body: HTTPRequest.Body, until deadline: ContinuousClock.Instant?) async throws {
        guard case .multipart(let form) = body else { return nil }
        let pieces = try await Self.pieces(of: form, until: deadline)
        byteCount = pieces.reduce(0) { $0 + $1.byteCount }
        state = Locked(State(rest: pieces[...]))
        readAhead()
      }

      /// Calls `action` whenever bytes become available after there were none.
      func whenReadable(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenReadable = action }
      }

      /// Moves the next bytes to `buffer`.
      ///
      /// - Returns: the number of bytes; `CCURL_READ_LATER` if there are none now, and
      ///   `CCURL_READ_FAILED` if a file is shorter than before or cannot be read.
      // Safe: the bytes are copied within the bounds of both.
      func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = state.withLock { state -> Int in
          let count = min(buffer.count, state.unsentCount)
          guard count > 0 else {
            return state.hasFailed ? Int(CCURL_READ_FAILED) : Int(CCURL_READ_LATER)
          }
          unsafe buffer.copyBytes(from: state.bytes[state.sentCount..<state.sentCount + count])
          state.sentCount += count
          return count
        }
        if count > 0 { readAhead() }
        return count
      }

      private static func piece(_ content: MultipartForm.Part.Content) throws -> Piece {
        switch content {
        case .bytes(let bytes): return Piece(content: content, byteCount: bytes.count)
        case .file(let url):
          let values = try url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
          guard values.isRegularFile == true, let size = values.fileSize else {
            throw CocoaError(.fileReadUnknown)
          }
          return Piece(content: content, byteCount: size)
        }
      }

      /// Reads the next bytes on the queue, unless there are enough or a read is in progress.
      private func readAhead() {
        let starts = state.withLock { state in
          guard !state.isReading, !state.hasFailed, !state.rest.isEmpty,
            state.unsentCount < Self.readAheadCount
          else { return false }
          state.isReading = true
          return true
        }
        if starts { queue.async { self.readNext() } }
      }

      private func readNext() {
        guard var piece = state.withLock({ $0.rest.first }) else { return }
        let result = Result { try Self.read(&piece) }
        let action = state.withLock { state -> (@Sendable () -> Void)? in
          state.isReading = false
          switch result {
          case .success(let bytes):
            state.bytes.removeFirst(state.sentCount)
            state.sentCount = 0
            state.bytes += bytes
            if piece.byteCount == 0 {
              state.rest.removeFirst()
            } else {
              state.rest[state.rest.startIndex] = piece
            }
          case .failure: state.hasFailed = true
          }
          return state.whenReadable
        }
        action?()
        readAhead()
      }

      /// The next bytes of a piece, whose number of remaining bytes is reduced.
      private static func read(_ piece: inout Piece) throws -> [UInt8] {
        switch piece.content {
        case .bytes(let bytes):
          piece.byteCount = 0
          return bytes
        case .file(let url):
          guard piece.byteCount > 0 else { return [] }
          let file = try piece.file ?? FileHandle.reading(url)
          piece.file = file
          let data = try file.read(upToCount: min(piece.byteCount, readAheadCount)) ?? Data()
          guard !data.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
          piece.byteCount -= data.count
          if piece.byteCount == 0 { try file.close() }
          return Array(data)
        }
      }

      /// A disk, such as a network disk, may not respond; the caller waits for it no longer than
      /// for the request.
      private static func pieces(
        of form: MultipartForm, until deadline: ContinuousClock.Instant?
      ) async throws -> [Piece] {
        let promise = Promise<[Piece]>()
        let id = deadline.map { deadline in
          ActionScheduler.shared.add(deadline) {
            promise.resolve(
              .failure(
                TransportError(
                  .timedOut, message: "the request timed out while its files were read")))
          }
        }
        defer { if let id { ActionScheduler.shared.remove(id) } }
        DispatchQueue.global().async {
          promise.resolve(
            Result { try form.pieces.map(piece) }.mapError {
              TransportError(
                .invalidRequest, message: "a file to upload cannot be read", underlying: $0)
            })
        }
        return try await withTaskCancellationHandler {
          try await promise.value
        } onCancel: {
          promise.resolve(.failure(TransportError.cancelled(bytesSent: false)))
        }
      }
    }
  }
#endif
