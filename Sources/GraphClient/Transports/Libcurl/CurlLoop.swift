#if !canImport(Darwin)
  import CCurl
  import Foundation

  extension Graph {
    /// A thread on which libcurl runs transfers, with the connections that they share. It ends when
    /// its last reference is released; each transfer keeps one until its end.
    // Safe: the functions that take the pointer may be called from any thread, and it is freed only
    // here.
    @safe final class CurlLoop: @unchecked Sendable {
      let pointer: OpaquePointer
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
    init(_ end: ccurl_end) {
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
