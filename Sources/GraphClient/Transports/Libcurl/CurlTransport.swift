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
      package func loop() throws(TransportError) -> CurlLoop {
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

#if !canImport(Darwin)
  import CCurl
  import Foundation

  extension Graph {
    /// A thread on which libcurl runs transfers, with the connections that they share. It ends when
    /// its last reference is released; each transfer keeps one until its end.
    // Safe: the functions that take the pointer may be called from any thread, and it is freed only
    // here.
    @safe package final class CurlLoop: @unchecked Sendable {
      package let pointer: OpaquePointer
      let deadlineMonitor = CurlDeadlineMonitor()

      // Safe: the call copies the settings' texts, which are valid during the call.
      init(_ library: CurlLibrary, _ configuration: CurlConfiguration) throws(TransportError) {
        let texts = try configuration.texts()
        var settings = unsafe ccurl_settings()
        unsafe settings.connections_per_host = max(1, configuration.maximumConnectionsPerHost)
        unsafe settings.idle_connections = max(1, configuration.maximumIdleConnections)
        let copies = unsafe texts.map { text in unsafe text.flatMap { unsafe strdup($0) } }
        defer { unsafe copies.forEach { unsafe free($0) } }
        guard unsafe zip(texts, copies).allSatisfy({ unsafe ($0 == nil) == ($1 == nil) }) else {
          throw TransportError(.unsupported, message: "there is not enough memory for requests")
        }
        unsafe settings.unix_socket = UnsafePointer(copies[0])
        unsafe settings.authorities = UnsafePointer(copies[1])
        unsafe settings.authorities_text = UnsafePointer(copies[2])
        unsafe settings.certificate = UnsafePointer(copies[3])
        unsafe settings.key = UnsafePointer(copies[4])
        unsafe settings.key_password = UnsafePointer(copies[5])
        guard let pointer = unsafe ccurl_loop_start(library.functions, &settings) else {
          throw TransportError(
            .unsupported,
            message:
              "there is not enough memory, or no free file descriptor or thread, for requests")
        }
        unsafe self.pointer = pointer
      }

      deinit { unsafe ccurl_loop_stop(pointer) }
    }
  }

  extension Graph.CurlConfiguration {
    /// The settings of ``Graph/CurlLoop``, in order.
    fileprivate func texts() throws(Graph.TransportError) -> [String?] {
      var file: String?
      var text: String?
      switch trust.kind {
      case .system: break
      case .only(let url): file = url.path
      case .systemAnd(let url): text = try Self.systemAuthorities() + "\n" + Self.contents(of: url)
      }
      return [
        unixSocket, file, text, clientCertificate?.certificate.path, clientCertificate?.key.path,
        clientCertificate?.password,
      ]
    }

    /// The files in which distributions store trusted authorities: Debian and Alpine, Fedora and
    /// Amazon Linux, SUSE, and the rest.
    private static let systemFiles = [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    private static func systemAuthorities() throws(Graph.TransportError) -> String {
      guard let path = systemFiles.first(where: FileManager.default.isReadableFile) else {
        throw Graph.TransportError(
          .tls,
          message:
            "the system's certificate authorities were not found in \(systemFiles.joined(separator: ", "))"
        )
      }
      return try contents(of: URL(fileURLWithPath: path))
    }

    private static func contents(of url: URL) throws(Graph.TransportError) -> String {
      do {
        // Comments of a PEM file may be in any encoding.
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
      } catch {
        throw Graph.TransportError(
          .tls, message: "the file of certificate authorities \(url.path) cannot be read",
          underlying: error)
      }
    }
  }
#endif

#if !canImport(Darwin)
  import CCurl

  extension Graph {
    /// The libcurl of this machine. It stays open for the life of the process.
    // Safe: the table of functions is never freed, and never changes once it is created.
    @safe final class CurlLibrary: @unchecked Sendable {
      /// The library by the names that distributions give it: built with OpenSSL, GnuTLS and NSS.
      static let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"]
      static let installed = CurlLibrary(names)

      let functions: OpaquePointer

      /// The version, such as "7.88.1".
      // Safe: the text is part of the table of functions.
      var version: String { unsafe String(cString: ccurl_version(functions)) }

      /// The first library of `names` that can be opened and is recent enough.
      init?(_ names: [String]) {
        for name in names {
          guard let functions = unsafe ccurl_open_library(name) else { continue }
          unsafe self.functions = functions
          return
        }
        return nil
      }
    }
  }

  extension Graph.TransportError {
    static var curlIsMissing: Graph.TransportError {
      Graph.TransportError(
        .unsupported,
        message: """
          libcurl (libcurl.so.4, version 7.80 or later) is missing on this machine; install the \
          package libcurl4 (Debian, Ubuntu) or libcurl (Fedora, Amazon Linux, Alpine)
          """)
    }
  }
#endif

#if !canImport(Darwin)
  import CCurl
  import Dispatch
  import GraphQLRuntime

  extension Graph {
    /// Ends transfers whose deadlines pass while the thread of their loop is busy. One call of
    /// libcurl can last for as long as the server sends.
    final class CurlDeadlineMonitor: Sendable {
      private struct State {
        var transfers: [ObjectIdentifier: CurlTransfer] = [:]
        /// Whether a check of the loop is scheduled.
        var isCheckScheduled = false
      }

      private static let interval = DispatchTimeInterval.milliseconds(250)

      private let state = Locked(State())

      /// Monitors a transfer, which retains the loop, until ``remove(_:)``.
      func add(_ transfer: CurlTransfer) {
        let mustSchedule = state.withLock { state in
          state.transfers[ObjectIdentifier(transfer)] = transfer
          defer { state.isCheckScheduled = true }
          return !state.isCheckScheduled
        }
        if mustSchedule { scheduleCheck(of: transfer.loop) }
      }

      func remove(_ transfer: CurlTransfer) {
        state.withLock { _ = $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
      }

      private func scheduleCheck(of loop: CurlLoop) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [weak loop] in
          guard let loop else { return }
          self.check(loop)
        }
      }

      // Safe: the loop lives as long as this call, and only one thread at a time executes this.
      private func check(_ loop: CurlLoop) {
        if unsafe ccurl_loop_is_late(loop.pointer) {
          let now = ContinuousClock.now
          for transfer in state.withLock({ Array($0.transfers.values) }) {
            transfer.giveUp(ifLateAt: now)
          }
        }
        let mustReschedule = state.withLock { state in
          state.isCheckScheduled = !state.transfers.isEmpty
          return state.isCheckScheduled
        }
        if mustReschedule { scheduleCheck(of: loop) }
      }
    }
  }
#endif

#if !canImport(Darwin)
  import CCurl

  extension Graph.TransportError {
    /// The outcome of a libcurl transfer.
    // Safe: the message lives as long as the outcome that contains it, which the caller retains.
    package init(_ end: ccurl_end) {
      let text = unsafe String(cString: end.message)
      let (code, meaning) = unsafe Self.meaning(end.status)
      unsafe self.init(
        code, message: text.isEmpty ? meaning : "\(meaning): \(text)",
        underlying: end.status == CCURL_STALE ? StaleConnection() : nil, bytesSent: end.was_sent)
    }

    /// Whether the server had closed the reused connection, before a byte of the response.
    var isStaleConnection: Bool { underlying is StaleConnection }

    private struct StaleConnection: Error {}

    private static func meaning(_ status: ccurl_status) -> (Code, String) {
      switch status {
      case CCURL_INVALID: (.invalidRequest, "the endpoint's URL is invalid")
      case CCURL_UNKNOWN_HOST: (.cannotConnect, "the host's name cannot be resolved")
      case CCURL_CANNOT_CONNECT: (.cannotConnect, "the connection could not be established")
      case CCURL_PROXY: (.cannotConnect, "the proxy refused the connection")
      case CCURL_TLS: (.tls, "the secure connection could not be established")
      case CCURL_CERTIFICATE: (.tls, "the server's certificate was rejected")
      case CCURL_CONNECT_TIMED_OUT: (.timedOut, "the connection could not be established in time")
      case CCURL_TIMED_OUT: (.timedOut, "the request timed out")
      case CCURL_SILENT: (.timedOut, "no bytes were sent or received within the idle timeout")
      case CCURL_CANCELLED: (.cancelled, "the request was cancelled")
      case CCURL_STALE:
        (.connectionLost, "the server had closed the reused connection")
      case CCURL_BAD_RESPONSE: (.invalidResponse, "the response is not HTTP")
      case CCURL_BAD_ENCODING: (.invalidResponse, "the content of the response cannot be decoded")
      case CCURL_HEAD_TOO_LARGE: (.tooLarge, "the head of the response is too large")
      case CCURL_UNREADABLE: (.invalidRequest, "a file to upload cannot be read, or has changed")
      case CCURL_NO_MEMORY: (.unsupported, "there is not enough memory for the request")
      case CCURL_UNSUPPORTED:
        (.unsupported, "libcurl was built without a feature that the configuration requires")
      case CCURL_END: (.connectionLost, "the server closed the connection")
      default: (.connectionLost, "the connection was lost")
      }
    }
  }
#endif
