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
