#if !canImport(Darwin)
  import Foundation

  extension Graph {
    /// Web sockets over libcurl, which is opened when the first one is made. The server's certificate
    /// and name are verified, and the environment's proxies are used.
    ///
    /// Each connection has a thread of its own.
    public struct CurlWebSocketTransport: WebSocketTransport {
      private let library: CurlLibrary?
      private let authorities: URL?
      private let maximumMessageBytes: Int
      private let time: any TimeSource

      /// - Parameters:
      ///   - authorities: a PEM file with the certificates of the authorities that are trusted, in
      ///     place of the system's: for a server with a private authority. With a file that cannot
      ///     be read no connection comes about.
      ///   - maximumMessageBytes: the most bytes of a message. It also bounds what waits to be read,
      ///     before the server is held back, and what waits to be sent.
      public init(
        authorities: URL? = nil, maximumMessageBytes: Int = Graph.defaultMaximumResponseBytes
      ) {
        self.init(
          library: .installed, authorities: authorities,
          maximumMessageBytes: maximumMessageBytes, time: SystemTime())
      }

      init(
        library: CurlLibrary?, authorities: URL? = nil, maximumMessageBytes: Int,
        time: any TimeSource
      ) {
        self.library = library
        self.authorities = authorities
        self.maximumMessageBytes = maximumMessageBytes
        self.time = time
      }

      public func connect(
        _ request: HTTPRequest, subprotocol: String
      ) async throws -> any WebSocketConnection {
        guard let library else { throw TransportError.curlIsMissing }
        let handshake = try Handshake(request, subprotocol: subprotocol)
        let socket = CurlSocket(
          library: library, origin: try Handshake.origin(of: request.url),
          authorities: authorities?.path,
          core: WebSocketCore(handshake, maximumMessageBytes: maximumMessageBytes),
          maximumUnreadBytes: maximumMessageBytes)
        try await socket.open(timeout: request.timeout, time: time)
        return CurlConnection(socket)
      }
    }
  }

  /// Closes its socket when nobody holds it any more; the socket's thread holds the socket.
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
