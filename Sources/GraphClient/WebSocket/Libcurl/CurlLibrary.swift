#if !canImport(Darwin)
  import CCurl

  extension Graph {
    /// libcurl as it was found on this machine. It stays open for the life of the process.
    // Safe: the table of functions is never freed, and never changes once it is made.
    @safe final class CurlLibrary: @unchecked Sendable {
      /// The library by the names that distributions give it: built with OpenSSL, GnuTLS and NSS.
      static let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"]
      static let installed = CurlLibrary(names)

      let functions: OpaquePointer

      /// The first library of `names` that can be opened.
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
          web sockets need libcurl (libcurl.so.4), which this machine lacks; install the package \
          libcurl4 (Debian, Ubuntu), libcurl (Fedora, Amazon Linux, Alpine), \
          or subscribe over server-sent events
          """)
    }

    /// - Parameter message: what libcurl says.
    init(_ status: ccurl_status, message: String, bytesSent: Bool) {
      let code: Code =
        switch status {
        case CCURL_INVALID: .invalidRequest
        case CCURL_CANNOT_CONNECT: .cannotConnect
        case CCURL_TLS: .tls
        case CCURL_TIMED_OUT: .timedOut
        case CCURL_CANCELLED: .cancelled
        default: .connectionLost
        }
      let text = message.isEmpty ? "the server ended the connection" : message
      self.init(code, message: text, bytesSent: bytesSent)
    }
  }
#endif
