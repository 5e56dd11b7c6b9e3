import CHiredis
import Foundation
import GraphClient
import GraphQLRuntime

/// The hiredis of this machine. It stays open for the life of the process.
// Safe: the table of functions is never freed, and never changes.
@safe final class HiredisLibrary: @unchecked Sendable {
  /// The library by the names that distributions give it, the newest first. Only the names of 0.14 contain a version
  /// that cannot be determined otherwise.
  static let names = [
    "libhiredis.so.1.3.0", "libhiredis.so.1.2.0", "libhiredis.so.1.1.0", "libhiredis.so.1.0.0",
    "libhiredis.so.1", "libhiredis.so.0.14", "libhiredis.so", "libhiredis.dylib",
    "/opt/homebrew/lib/libhiredis.dylib", "/usr/local/lib/libhiredis.dylib",
  ]

  static let installed = HiredisLibrary(names)

  let functions: OpaquePointer

  /// The first library of `names` that can be opened and is recent enough.
  init?(_ names: [String]) {
    for name in names {
      guard let functions = unsafe chiredis_open_library(name) else { continue }
      unsafe self.functions = functions
      return
    }
    return nil
  }
}

extension Graph.ValkeyError {
  static var hiredisIsMissing: Graph.ValkeyError {
    Graph.ValkeyError(
      .unsupported,
      message: """
        hiredis (version 0.14 or 1.x) is missing on this machine; install the package libhiredis0.14 \
        (Debian 12, Ubuntu 22.04), libhiredis1.1.0 (Debian 13, Ubuntu 24.04) or hiredis (Fedora, Alpine)
        """)
  }
}

/// The OpenSSL of this machine, which encrypts connections. It stays open for the life of the process.
///
/// The one that macOS contains must not be used by programs.
enum OpenSSL {
  static let names = [
    "libssl.so.3", "libssl.so.1.1", "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib",
    "/usr/local/opt/openssl@3/lib/libssl.3.dylib",
  ]

  // Safe: the names are valid during the calls.
  static let isInstalled = names.contains { unsafe chiredis_open_tls($0) }
}

extension Graph.ValkeyConfiguration.TLS {
  /// - Throws: `unsupported` without OpenSSL, `invalidConfiguration` for files that cannot be used.
  // Safe: the function gets the size of the buffer, and fills it with a text that ends with 0.
  func check() throws(Graph.ValkeyError) {
    guard OpenSSL.isInstalled else { throw .openSSLIsMissing }
    var message = [CChar](repeating: 0, count: 256)
    let isUsable = unsafe withSettings { settings in
      unsafe chiredis_check_tls(settings, &message, message.count)
    }
    guard isUsable else {
      let text = String(
        decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw Graph.ValkeyError(.invalidConfiguration, message: "TLS cannot be used: \(text)")
    }
  }

  /// Calls `body` with the settings, whose texts are valid until it returns.
  // Safe: the texts outlive the call.
  func withSettings<Result>(_ body: (UnsafePointer<chiredis_tls>) -> Result) -> Result {
    unsafe serverName.withCString { name in
      unsafe withCString(authorities?.path) { authorities in
        unsafe withCString(certificate?.path) { certificate in
          unsafe withCString((key ?? self.certificate)?.path) { key in
            var settings = unsafe chiredis_tls(
              server_name: name, authorities: authorities, certificate: certificate, key: key)
            return unsafe body(&settings)
          }
        }
      }
    }
  }

  // Safe: the text outlives the call.
  private func withCString<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
  }
}

extension Graph.ValkeyError {
  static var openSSLIsMissing: Graph.ValkeyError {
    Graph.ValkeyError(
      .unsupported,
      message: "TLS needs OpenSSL 3 or 1.1 (libssl), which is missing on this machine")
  }
}
