import CHiredis
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
