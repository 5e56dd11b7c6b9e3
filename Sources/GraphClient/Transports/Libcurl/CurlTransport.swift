#if !canImport(Darwin)
  import Foundation
  import GraphQLRuntime

  extension Graph {
    /// The transport over libcurl, which is opened when the first request is sent. It is the
    /// default transport on systems without their own URLSession.
    ///
    /// All requests of one transport share its connections and one thread, which starts with the
    /// first request. HTTP/2 is used over TLS if the server supports it. Proxies are those of the
    /// environment (`http_proxy`, `https_proxy`, `no_proxy`). No cookies are kept. A response with
    /// the content coding gzip, deflate, br or zstd is decoded if libcurl was built with it.
    ///
    /// ``TransportError/bytesSent`` of an error is false only if the server has received nothing of
    /// the request.
    public final class CurlTransport: Transport {
      /// The transport of all clients without their own.
      public static let shared = CurlTransport()

      /// Whether this machine has a recent enough libcurl.
      public static var isAvailable: Bool { CurlLibrary.installed != nil }

      private let library: CurlLibrary?
      private let configuration: CurlConfiguration
      private let startedLoop = Locked<CurlLoop?>(nil)

      /// A transport with its own connections.
      public convenience init(configuration: CurlConfiguration = CurlConfiguration()) {
        self.init(library: .installed, configuration: configuration)
      }

      init(library: CurlLibrary?, configuration: CurlConfiguration) {
        self.library = library
        self.configuration = configuration
      }

      /// The loop, which is started on first use.
      func loop() throws(TransportError) -> CurlLoop {
        guard let library else { throw TransportError.curlIsMissing }
        return try startedLoop.withLock { loop throws(TransportError) in
          if let loop { return loop }
          let started = try CurlLoop(library, configuration)
          loop = started
          return started
        }
      }

      /// Sends `request` and follows its redirects.
      public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.check()
        let deadline = request.timeout.map { ContinuousClock.now + $0 }
        return try await configuration.redirects.following(request) {
          try await sendOnce($0, until: deadline)
        }
      }

      /// Sends the request. If the server had closed the reused connection and the request may be
      /// repeated, it is retried once on a new connection.
      private func sendOnce(
        _ request: HTTPRequest, until deadline: ContinuousClock.Instant?
      ) async throws -> HTTPResponse {
        do {
          return try await attempt(request, until: deadline, needsNewConnection: false)
        } catch let stale as TransportError
          where stale.isStaleConnection && (request.isIdempotent || !stale.bytesSent)
        {
          do {
            return try await attempt(request, until: deadline, needsNewConnection: true)
          } catch let error as TransportError where stale.bytesSent {
            throw error.afterSending
          }
        }
      }

      private func attempt(
        _ request: HTTPRequest, until deadline: ContinuousClock.Instant?, needsNewConnection: Bool
      ) async throws -> HTTPResponse {
        let upload = try await UploadStream(request.body, until: deadline)
        let timeout = deadline.map { ContinuousClock.now.duration(to: $0) }
        if let timeout, timeout <= .zero {
          throw TransportError(.timedOut, message: "the request timed out")
        }
        let transfer = CurlTransfer(
          request, upload: upload, on: try loop(),
          maximumUnreadBytes: configuration.maximumUnreadBytes)
        upload?.whenReadable { [weak transfer] in transfer?.resume() }
        return try await transfer.response(
          timeout: timeout, needsNewConnection: needsNewConnection)
      }
    }
  }
#endif

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

#if !canImport(Darwin)
  import Foundation

  extension Graph {
    /// How a ``CurlTransport`` connects.
    public struct CurlConfiguration: Sendable {
      /// The authorities that may sign a server's certificate.
      public struct Trust: Sendable {
        enum Kind: Sendable {
          case system
          case systemAnd(URL)
          case only(URL)
        }

        let kind: Kind

        /// The authorities that the system trusts.
        public static let system = Trust(kind: .system)

        /// The authorities that the system trusts, and those in a PEM file.
        public static func system(and file: URL) -> Trust { Trust(kind: .systemAnd(file)) }

        /// Only the authorities in a PEM file.
        public static func only(_ file: URL) -> Trust { Trust(kind: .only(file)) }
      }

      /// The certificate with which the client identifies itself to servers that request one.
      public struct ClientCertificate: Sendable {
        /// A PEM file with the certificate, and the intermediate certificates up to the root.
        public var certificate: URL
        /// A PEM file with the certificate's key.
        public var key: URL
        /// The password of the key's file, if it has one.
        public var password: String?

        /// A certificate and its key.
        public init(certificate: URL, key: URL, password: String? = nil) {
          self.certificate = certificate
          self.key = key
          self.password = password
        }
      }

      /// Which redirects are followed.
      public var redirects = RedirectPolicy.standard
      /// The maximum number of unread bytes of a response, decoded, before the server has to wait.
      public var maximumUnreadBytes = 1 << 20
      /// The maximum number of concurrent connections to one host. Further requests wait for one of
      /// them; one connection over HTTP/2 carries many.
      public var maximumConnectionsPerHost = 16
      /// The number of connections that are kept open without a request.
      public var maximumIdleConnections = 64
      /// The path of a Unix domain socket to which the transport connects instead of each request's
      /// host, such as that of a proxy on the same machine.
      public var unixSocket: String?
      /// The authorities that may sign a server's certificate.
      public var trust = Trust.system
      /// The client's certificate, for servers that request one.
      public var clientCertificate: ClientCertificate?

      /// The standard configuration.
      public init() {}
    }
  }

  extension Graph.CurlConfiguration.ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// The files, without the password.
    public var description: String { "\(certificate.path), \(key.path)" }

    public var customMirror: Mirror { Mirror(self, children: ["files": description]) }
  }
#endif
