#if !canImport(Darwin)
  import Foundation

  extension Graph {
    /// Web sockets over libcurl, which is opened when the first one is created. The server's
    /// certificate and name are verified, and the environment's proxies are used.
    ///
    /// All connections share the thread of a ``CurlTransport``.
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
#endif
