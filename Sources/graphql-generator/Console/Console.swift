#if !ONE_MODULE
  import GraphJSON
  import GraphQLSchema
#endif

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

/// Standard output and standard error, or their replacements in tests.
struct Console {
  /// Takes bytes for standard output.
  let output: ([UInt8]) throws -> Void
  /// Takes text for standard error.
  let error: (String) -> Void
  /// Whether standard error is a terminal on which progress is visible.
  let isWatched: Bool

  /// A result, on standard output.
  func write(_ line: String) throws(FileError) { try write(Array((line + "\n").utf8)) }

  /// A result, on standard output.
  func write(_ bytes: [UInt8]) throws(FileError) {
    do { try output(bytes) } catch {
      throw .unwritable(path: "standard output", reason: FileError.reason(for: error))
    }
  }

  /// A problem, on standard error.
  func report(_ text: String) { error(text + "\n") }

  func report(_ diagnostic: Diagnostic) { report(diagnostic.description) }

  func report(_ diagnostics: Diagnostics) {
    for diagnostic in diagnostics.elements { report(diagnostic) }
  }
}

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

/// One line on a terminal that shows the progress of long work, and is removed when the work is
/// done.
struct Progress {
  /// Number of input bytes below which the work ends before the line could be read.
  static let longWork = 200_000

  private let console: Console
  private let isShown: Bool

  init(console: Console, inputSize: Int, isQuiet: Bool = false) {
    self.console = console
    isShown = console.isWatched && !isQuiet && inputSize >= Self.longWork
  }

  /// Shows the line while the work lasts.
  func during<Result, Failure: Error>(
    _ line: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isShown else { return try work() }
    console.error("\(line)…")
    defer { console.error(Self.eraseLine) }
    return try work()
  }

  private static let eraseLine = "\r\u{1B}[K"
}
