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
