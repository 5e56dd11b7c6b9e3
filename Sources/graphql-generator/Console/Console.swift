import GraphJSON
import GraphQLSchema

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

  /// A result for programs, on standard output.
  func write(_ json: JSON) throws(FileError) {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.value(json)
    try write(writer.finish() + [UInt8(ascii: "\n")])
  }

  /// A problem, on standard error.
  func report(_ text: String) { error(text + "\n") }

  func report(_ diagnostic: Diagnostic) { report(diagnostic.description) }

  func report(_ diagnostics: Diagnostics) {
    for diagnostic in diagnostics.elements { report(diagnostic) }
  }
}
