#if !canImport(Darwin)
  import CCurl
  import Foundation
  import GraphClient
  import GraphQLRuntime

  extension Graph {
    /// Web sockets over libcurl, which is opened when the first one is created. The server's
    /// certificate and name are verified, and the environment's proxies are used.
    ///
    /// All connections share the thread of a `CurlTransport`.
    public struct CurlWebSocketTransport: WebSocketTransport {
      private let transport: CurlTransport
      private let maximumMessageBytes: Int
      private let time: any TimeSource

      /// - Parameters:
      ///   - transport: provides its thread and its configuration: which authorities are trusted,
      ///     the client's certificate, the Unix domain socket.
      ///   - maximumMessageBytes: the maximum number of bytes of a message. It also limits the
      ///     unread bytes, before the server has to wait, and the unsent bytes.
      public init(
        transport: CurlTransport = .shared,
        maximumMessageBytes: Int = Graph.defaultMaximumResponseBytes
      ) {
        self.init(
          transport: transport, maximumMessageBytes: maximumMessageBytes, time: SystemTime())
      }

      init(transport: CurlTransport, maximumMessageBytes: Int, time: any TimeSource) {
        self.transport = transport
        self.maximumMessageBytes = maximumMessageBytes
        self.time = time
      }

      public func connect(
        _ request: HTTPRequest, subprotocol: String
      ) async throws -> any WebSocketConnection {
        let handshake = try Handshake(request, subprotocol: subprotocol)
        let socket = CurlSocket(
          loop: try transport.loop(), origin: try Handshake.origin(of: request.url),
          connectTimeout: request.connectTimeout,
          core: WebSocketCore(handshake, maximumMessageBytes: maximumMessageBytes),
          maximumUnreadBytes: maximumMessageBytes)
        try await socket.open(timeout: request.timeout, time: time)
        return CurlConnection(socket)
      }
    }
  }

  /// Closes its socket when its last reference is released; the loop retains the socket until its
  /// end.
  private final class CurlConnection: Graph.WebSocketConnection {
    private let socket: Graph.CurlSocket

    init(_ socket: Graph.CurlSocket) { self.socket = socket }

    deinit { socket.close(Graph.WebSocketClosure(code: 1000)) }

    func send(_ message: Graph.WebSocketMessage) throws { try socket.send(message) }

    func receive() async throws -> Graph.WebSocketMessage { try await socket.receive() }

    func close(code: UInt16, reason: String) {
      socket.close(Graph.WebSocketClosure(code: code, reason: reason))
    }
  }

  extension Graph {
    /// A web socket shared by the tasks that use it and the thread of its loop.
    ///
    /// Either side may end it at any time. Every continuation is removed from the state before it
    /// is resumed, so each resumes once.
    final class CurlSocket: Sendable {
      struct State {
        var core: WebSocketCore
        /// libcurl's side of the connection; nil before its start and after its end.
        var handle: CurlHandle?
        var opening: CheckedContinuation<Void, any Error>?
        var isOpen = false
        var inbox = FIFOQueue<WebSocketMessage>()
        var unreadByteCount = 0
        var receiver: CheckedContinuation<WebSocketMessage, any Error>?
        /// Set once: the outcome for users of the socket from now on.
        var end: TransportError?
        /// When the loop no longer waits for the server's close frame.
        var closingDeadline: ContinuousClock.Instant?
      }

      /// The maximum time that a server may take to respond to a close frame.
      private static let closingTime = Duration.seconds(2)

      let state: Locked<State>
      let loop: CurlLoop
      let origin: String
      let connectTimeout: Duration?
      let maximumUnreadBytes: Int
      /// Only for the loop's thread.
      let driver = Driver()

      init(
        loop: CurlLoop, origin: String, connectTimeout: Duration?, core: WebSocketCore,
        maximumUnreadBytes: Int
      ) {
        self.loop = loop
        self.origin = origin
        self.connectTimeout = connectTimeout
        self.maximumUnreadBytes = maximumUnreadBytes
        state = Locked(State(core: core))
      }

      /// Returns when the handshake is complete.
      func open(timeout: Duration?, time: any TimeSource) async throws {
        let watchdog = timeout.map { timeout in
          Task {
            try await time.sleep(for: timeout)
            abortOpening(
              TransportError(.timedOut, message: "the web socket did not open in time"))
          }
        }
        defer { watchdog?.cancel() }
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            let end = state.withLock { state -> TransportError? in
              guard state.end == nil else { return state.end }
              state.handle = connect()
              if state.handle == nil {
                state.end = TransportError(
                  .unsupported, message: "there is not enough memory for a web socket")
              } else {
                state.opening = continuation
              }
              return state.end
            }
            if let end { continuation.resume(throwing: end) }
          }
        } onCancel: {
          abortOpening(.cancelled(bytesSent: false))
        }
      }

      func send(_ message: WebSocketMessage) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
          if let end = state.end { throw end }
          try state.core.send(message)
          state.wake()
        }
      }

      func receive() async throws -> WebSocketMessage {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<WebSocketMessage, any Error>? in
              if let message = state.takeUnread() { return .success(message) }
              if let end = state.end { return .failure(end) }
              // A cancellation before the lock had no effect.
              if Task.isCancelled { return .failure(TransportError.cancelled(bytesSent: true)) }
              guard state.receiver == nil else {
                return .failure(
                  TransportError(
                    .invalidRequest, message: "two tasks receive from the same web socket"))
              }
              state.receiver = continuation
              return nil
            }
            if let result { continuation.resume(with: result) }
          }
        } onCancel: {
          let receiver = state.withLock { $0.receiver.take() }
          receiver?.resume(throwing: TransportError.cancelled(bytesSent: true))
        }
      }

      func close(_ closure: WebSocketClosure) {
        let receiver = state.withLock {
          state -> CheckedContinuation<WebSocketMessage, any Error>? in
          guard state.end == nil else { return nil }
          state.end = .cancelled(bytesSent: true)
          state.core.close(closure)
          state.closingDeadline = .now + Self.closingTime
          state.discardUnread()
          state.wake()
          return state.receiver.take()
        }
        receiver?.resume(throwing: TransportError.cancelled(bytesSent: true))
      }

      // Safe: the lock is held, so that the handle is not released meanwhile.
      private func abortOpening(_ error: TransportError) {
        let opening = state.withLock { state -> CheckedContinuation<Void, any Error>? in
          guard !state.isOpen, state.end == nil else { return nil }
          state.end = error
          if let handle = state.handle { unsafe ccurl_cancel(handle.pointer) }
          return state.opening.take()
        }
        opening?.resume(throwing: error)
      }
    }
  }

  extension Graph.CurlSocket.State {
    // Safe: the state is locked, so that the handle is not released meanwhile.
    func wake() {
      if let handle { unsafe ccurl_wake(handle.pointer) }
    }

    mutating func append(_ message: Graph.WebSocketMessage) {
      inbox.append(message)
      unreadByteCount += message.cost
    }

    mutating func takeUnread() -> Graph.WebSocketMessage? {
      guard let message = inbox.popFirst() else { return nil }
      unreadByteCount -= message.cost
      wake()
      return message
    }

    mutating func discardUnread() {
      inbox = FIFOQueue()
      unreadByteCount = 0
    }
  }

  extension Graph.WebSocketMessage {
    /// The memory that a message takes, so that many small ones count as well.
    fileprivate var cost: Int {
      switch self {
      case .text(let text): text.utf8.count + 64
      case .binary(let bytes): bytes.count + 64
      }
    }
  }

  extension Graph.CurlSocket {
    /// The bytes that are being sent to the server.
    // Safe: only the loop's thread accesses it.
    @safe final class Driver: @unchecked Sendable {
      fileprivate var outgoing = Outgoing()
      fileprivate var buffer: [UInt8] = []
      /// Why the connection was ended from outside; used if the loop has no better reason.
      fileprivate var failure: Graph.TransportError?
    }

    /// Lets the loop connect; the loop retains this object until the last event.
    ///
    /// - Returns: nil if memory is exhausted.
    // Safe: the call copies the address, which is valid during the call. The context is retained
    // here and released by the last event, or here if there will be none.
    func connect() -> Graph.CurlHandle? {
      let context = unsafe Unmanaged.passRetained(self).toOpaque()
      var events = Self.events
      let pointer = unsafe origin.withCString { origin in
        unsafe ccurl_connect(
          loop.pointer, origin, curlMilliseconds(connectTimeout), &events, context)
      }
      guard let pointer = unsafe pointer else {
        unsafe Unmanaged<Graph.CurlSocket>.fromOpaque(context).release()
        return nil
      }
      return unsafe Graph.CurlHandle(pointer: pointer)
    }

    // Safe: the context is the socket, which the loop retains until the last event.
    private static let events = unsafe ccurl_connection_events(
      on_turn: { context, connection in
        guard let context = unsafe context, let connection = unsafe connection else {
          return ccurl_wish(reads: false, writes: false, ends: true, milliseconds: -1)
        }
        let socket = unsafe Unmanaged<Graph.CurlSocket>.fromOpaque(context).takeUnretainedValue()
        return unsafe socket.transferBytes(over: connection)
      },
      on_end: { context, end in
        guard let context = unsafe context, let end = unsafe end?.pointee else { return }
        let socket = unsafe Unmanaged<Graph.CurlSocket>.fromOpaque(context).takeRetainedValue()
        unsafe socket.didEnd(end)
      })

    private static let transferLimit = Duration.milliseconds(4)

    /// Moves bytes as long as there are any, and returns what to wait for.
    // Safe: the connection lives as long as this call.
    private func transferBytes(over connection: OpaquePointer) -> ccurl_wish {
      if driver.buffer.isEmpty { driver.buffer = [UInt8](repeating: 0, count: 1 << 16) }
      do throws(Graph.TransportError) {
        // Lets other connections on this thread run in between.
        let end = ContinuousClock.now + Self.transferLimit
        repeat {
          try unsafe flush(over: connection)
          let next = state.withLock { $0.nextStep(maximumUnreadBytes: maximumUnreadBytes) }
          let writes = !driver.outgoing.isEmpty
          guard !next.stops, next.reads, let bytes = try unsafe receive(over: connection) else {
            return ccurl_wish(
              reads: next.reads, writes: writes, ends: next.stops, milliseconds: next.milliseconds)
          }
          try handle(bytes)
        } while ContinuousClock.now < end
        return ccurl_wish(reads: true, writes: false, ends: false, milliseconds: 0)
      } catch {
        // The close frame with the error; it may not reach the server.
        try? unsafe flush(over: connection)
        driver.failure = error
        return ccurl_wish(reads: false, writes: false, ends: true, milliseconds: -1)
      }
    }

    /// The bytes that have arrived; nil if there are none now.
    // Safe: the bytes are written within the bounds of the buffer.
    private func receive(over connection: OpaquePointer) throws(Graph.TransportError) -> [UInt8]? {
      var count = 0
      let status = unsafe driver.buffer.withUnsafeMutableBytes {
        unsafe ccurl_read(connection, $0.baseAddress, $0.count, &count)
      }
      if status == CCURL_AGAIN { return nil }
      try check(status)
      return Array(driver.buffer[..<count])
    }

    /// Sends the pending bytes until the connection accepts no more.
    // Safe: the bytes are valid during the call.
    private func flush(over connection: OpaquePointer) throws(Graph.TransportError) {
      while true {
        if driver.outgoing.isEmpty {
          guard let bytes = state.withLock({ $0.core.takeOutput() }) else { return }
          driver.outgoing = Outgoing(bytes: bytes)
        }
        var sent = 0
        // After `CCURL_AGAIN`, TLS requires the same bytes at the same address: the array is not
        // changed.
        let status = unsafe driver.outgoing.bytes.withUnsafeBytes { bytes in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[driver.outgoing.sent...])
          return unsafe ccurl_write(connection, rest.baseAddress, rest.count, &sent)
        }
        if status == CCURL_AGAIN { return }
        try check(status)
        driver.outgoing.sent += sent
      }
    }

    private func handle(_ bytes: [UInt8]) throws(Graph.TransportError) {
      let (opening, received, failure) = state.withLock { state in
        var opening: CheckedContinuation<Void, any Error>?
        let (events, failure) = state.core.receive(bytes)
        for event in events {
          switch event {
          case .opened:
            state.isOpen = true
            opening = state.opening.take()
          case .message(let message) where state.end == nil: state.append(message)
          case .closed(let closure) where state.end == nil: state.end = .closed(closure)
          case .message, .closed: break
          }
        }
        return (opening, state.takeReception(), failure)
      }
      opening?.resume()
      if let received { received.receiver.resume(with: received.result) }
      if let failure { throw failure }
    }

    private func check(_ status: ccurl_status) throws(Graph.TransportError) {
      guard status != CCURL_OK else { return }
      let message =
        status == CCURL_END ? "the server closed the connection" : "the connection was lost"
      throw Graph.TransportError(.connectionLost, message: message, bytesSent: true)
    }

    /// The last event.
    // Safe: the handle is removed from the state before it is released.
    private func didEnd(_ end: ccurl_end) {
      unsafe finish(driver.failure ?? Graph.TransportError(end))
      if let handle = state.withLock({ $0.handle.take() }) {
        unsafe ccurl_release(handle.pointer)
      }
    }

    private func finish(_ error: Graph.TransportError) {
      let (opening, receiver) = state.withLock { state in
        if state.end == nil { state.end = error }
        return (state.opening.take(), state.receiver.take())
      }
      opening?.resume(throwing: error)
      receiver?.resume(throwing: error)
    }
  }

  /// Bytes that are being sent, and how many of them have been sent.
  private struct Outgoing {
    var bytes: [UInt8] = []
    var sent = 0

    var isEmpty: Bool { sent == bytes.count }
  }

  extension Graph.CurlSocket.State {
    fileprivate struct Step {
      var stops = false
      var reads = true
      /// The maximum time to wait, -1 for no limit.
      var milliseconds: Int64 = -1
    }

    fileprivate func nextStep(maximumUnreadBytes: Int) -> Step {
      if core.isClosed { return Step(stops: true) }
      guard let closingDeadline else {
        return Step(reads: unreadByteCount < maximumUnreadBytes)
      }
      let rest = ContinuousClock.now.duration(to: closingDeadline)
      guard rest > .zero else { return Step(stops: true) }
      return Step(milliseconds: Int64(rest / .milliseconds(1)) + 1)
    }

    /// The waiting tasks and what they wait for.
    fileprivate mutating func takeReception() -> (
      receiver: CheckedContinuation<Graph.WebSocketMessage, any Error>,
      result: Result<Graph.WebSocketMessage, any Error>
    )? {
      guard let waiting = receiver else { return nil }
      if let message = takeUnread() {
        receiver = nil
        return (waiting, .success(message))
      }
      guard let end else { return nil }
      receiver = nil
      return (waiting, .failure(end))
    }
  }
#endif
