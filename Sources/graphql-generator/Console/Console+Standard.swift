#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Console {
  /// `FileHandle` is not in FoundationEssentials, and `print` reports no error.
  static var standard: Console {
    Console(
      output: { try writeAll($0, to: STDOUT_FILENO) },
      // If standard error is closed, the message cannot be shown.
      error: { try? writeAll(Array($0.utf8), to: STDERR_FILENO) },
      isWatched: isatty(STDERR_FILENO) == 1)
  }
}

// Not a method, since in `Console` another function has the name `write`.
// Safe: the slice has the bytes from `start` on, which are valid during the call.
private func writeAll(_ bytes: [UInt8], to file: Int32) throws(POSIXError) {
  var start = 0
  while start < bytes.count {
    let count = unsafe bytes[start...].withUnsafeBytes {
      unsafe write(file, $0.baseAddress, $0.count)
    }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw POSIXError.last }
    start += count
  }
}
