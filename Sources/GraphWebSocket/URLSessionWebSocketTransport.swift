#if canImport(Darwin)
  import Foundation
  import GraphClient
  import GraphQLRuntime

  extension Graph {
    /// Web sockets over URLSession.
    public struct URLSessionWebSocketTransport: WebSocketTransport {
      private let maximumMessageBytes: Int
      private let time: any TimeSource

      /// - Parameter maximumMessageBytes: the maximum number of bytes of a received message.
      public init(maximumMessageBytes: Int = Graph.defaultMaximumResponseBytes) {
        self.init(maximumMessageBytes: maximumMessageBytes, time: SystemTime())
      }

      init(maximumMessageBytes: Int, time: any TimeSource) {
        self.maximumMessageBytes = maximumMessageBytes
        self.time = time
      }

      public func connect(
        _ request: HTTPRequest, subprotocol: String
      ) async throws -> any WebSocketConnection {
        var urlRequest = URLRequest(url: try Self.address(request.url))
        for field in request.headers.fields {
          urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
        }
        urlRequest.setValue(subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
        // A subscription may be silent for longer than the 60 seconds of URLSession.
        urlRequest.timeoutInterval = 24 * 60 * 60
        let socket = URLSessionSocket()
        // The session retains its delegate until it is invalidated, which the socket's end does.
        let session = URLSession(
          configuration: .ephemeral, delegate: URLSessionSocketDelegate(socket, subprotocol),
          delegateQueue: nil)
        let task = session.webSocketTask(with: urlRequest)
        task.maximumMessageSize = maximumMessageBytes
        let connection = URLSessionConnection(socket, session: session, task: task)
        try await socket.opened(by: task, timeout: request.timeout, time: time)
        return connection
      }

      private static func address(_ url: URL) throws(TransportError) -> URL {
        let secure = try Handshake.origin(of: url).hasPrefix("https:")
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.scheme = secure ? "wss" : "ws"
        components?.user = nil
        components?.password = nil
        guard let address = components?.url else {
          throw TransportError(.invalidRequest, message: "the URL is invalid")
        }
        return address
      }
    }
  }

  /// Closes the web socket when its last reference is released.
  private final class URLSessionConnection: Graph.WebSocketConnection {
    private let socket: Graph.URLSessionSocket
    private let session: URLSession
    private let task: URLSessionWebSocketTask

    init(
      _ socket: Graph.URLSessionSocket, session: URLSession, task: URLSessionWebSocketTask
    ) {
      self.socket = socket
      self.session = session
      self.task = task
    }

    deinit {
      task.cancel(with: .normalClosure, reason: nil)
      session.finishTasksAndInvalidate()
    }

    func send(_ message: Graph.WebSocketMessage) async throws {
      if let end = socket.end { throw end }
      do {
        switch message {
        case .text(let text): try await task.send(.string(text))
        case .binary(let bytes): try await task.send(.data(Data(bytes)))
        }
      } catch {
        throw socket.failure(error, of: task)
      }
    }

    func receive() async throws -> Graph.WebSocketMessage {
      if let end = socket.end { throw end }
      do {
        switch try await task.receive() {
        case .string(let text): return .text(text)
        case .data(let data): return .binary(Array(data))
        @unknown default:
          throw Graph.TransportError(
            .invalidResponse, message: "a message is of an unknown kind", bytesSent: true)
        }
      } catch {
        throw socket.failure(error, of: task)
      }
    }

    func close(code: UInt16, reason: String) {
      guard socket.finish(.cancelled(bytesSent: true)) else { return }
      let frame = Graph.Frame(closing: Graph.WebSocketClosure(code: code, reason: reason))
      task.cancel(
        with: URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure,
        reason: Data(frame.payload.dropFirst(2)))
    }
  }

  extension Graph {
    /// The state of a URLSession web socket, shared by its delegate and its users.
    ///
    /// The continuation is removed from the state before it is resumed, so it resumes once.
    final class URLSessionSocket: Sendable {
      private struct State {
        var opening: CheckedContinuation<Void, any Error>?
        var isOpen = false
        /// Set once: the outcome for users of the socket from now on.
        var end: TransportError?
      }

      private let state = Locked(State())

      var end: TransportError? { state.withLock { $0.end } }
      var isOpen: Bool { state.withLock { $0.isOpen } }

      /// Starts `task` and returns when the handshake is complete.
      func opened(
        by task: URLSessionWebSocketTask, timeout: Duration?, time: any TimeSource
      ) async throws {
        let watchdog = timeout.map { timeout in
          Task {
            try await time.sleep(for: timeout)
            abortOpening(
              TransportError(.timedOut, message: "the web socket did not open in time"), task)
          }
        }
        defer { watchdog?.cancel() }
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            let end = state.withLock { state -> TransportError? in
              if state.end == nil { state.opening = continuation }
              return state.end
            }
            if let end { continuation.resume(throwing: end) } else { task.resume() }
          }
        } onCancel: {
          abortOpening(.cancelled(bytesSent: false), task)
        }
      }

      func didOpen() {
        let opening = state.withLock { state -> CheckedContinuation<Void, any Error>? in
          guard state.end == nil else { return nil }
          state.isOpen = true
          return state.opening.take()
        }
        opening?.resume()
      }

      /// - Returns: false if it has already ended.
      @discardableResult
      func finish(_ error: TransportError) -> Bool {
        let (opening, isFirst) = state.withLock {
          state -> (CheckedContinuation<Void, any Error>?, Bool) in
          guard state.end == nil else { return (nil, false) }
          state.end = error
          return (state.opening.take(), true)
        }
        opening?.resume(throwing: error)
        return isFirst
      }

      /// A `TransportError` for an error of `task`.
      func failure(_ error: any Error, of task: URLSessionWebSocketTask) -> TransportError {
        if let end { return end }
        if task.closeCode != .invalid {
          let closure = WebSocketClosure(
            code: UInt16(clamping: task.closeCode.rawValue),
            reason: String(decoding: task.closeReason ?? Data(), as: UTF8.self))
          return .closed(closure)
        }
        if error is CancellationError { return .cancelled(bytesSent: true) }
        return error as? TransportError ?? TransportError(urlSession: error)
      }

      private func abortOpening(_ error: TransportError, _ task: URLSessionWebSocketTask) {
        guard !isOpen, finish(error) else { return }
        task.cancel()
      }
    }

    /// Observes the handshake and the end.
    final class URLSessionSocketDelegate: NSObject, URLSessionWebSocketDelegate {
      private let socket: URLSessionSocket
      private let subprotocol: String

      init(_ socket: URLSessionSocket, _ subprotocol: String) {
        self.socket = socket
        self.subprotocol = subprotocol
      }

      func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol chosen: String?
      ) {
        if chosen == subprotocol {
          socket.didOpen()
        } else {
          socket.finish(
            TransportError(
              .invalidResponse,
              message: "the server does not support the subprotocol \(subprotocol)",
              bytesSent: true))
          webSocketTask.cancel(with: .protocolError, reason: nil)
        }
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        session.finishTasksAndInvalidate()
        let response = task.response as? HTTPURLResponse
        if let response, response.statusCode != 101 {
          socket.finish(.refused(response))
        } else if let error {
          socket.finishOpening(TransportError(urlSession: error))
        }
      }

      /// A redirect would repeat the request's credentials elsewhere.
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
      ) async -> URLRequest? { nil }
    }
  }

  extension Graph.URLSessionSocket {
    /// The task has ended. If the socket is open, a receiving task gets the close code.
    fileprivate func finishOpening(_ error: Graph.TransportError) {
      guard !isOpen else { return }
      finish(error)
    }
  }

  extension Graph.TransportError {
    fileprivate static func refused(_ response: HTTPURLResponse) -> Graph.TransportError {
      var headers = Graph.Headers()
      for (name, value) in response.allHeaderFields {
        headers.add(name: "\(name)", value: "\(value)")
      }
      return Graph.TransportError(
        .invalidResponse,
        message: "the server rejected the web socket with status \(response.statusCode)",
        underlying: Graph.HandshakeRefusal(status: response.statusCode, headers: headers),
        bytesSent: true)
    }
  }
#endif
