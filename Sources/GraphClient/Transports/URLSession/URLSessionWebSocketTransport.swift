#if canImport(Darwin)
  import Foundation

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
#endif
