#if !canImport(Darwin)
  import CCurl
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// A web socket shared by the tasks that use it and the thread of its loop.
    ///
    /// Either side may end it at any time. Every continuation is removed from the state before it
    /// is resumed, so each resumes once.
    final class CurlSocket: Sendable {
      struct State {
        var core: WebSocketCore
        /// libcurl's side of the connection; nil before its start and after its end.
        var handle: CurlTransfer.Handle?
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
#endif
