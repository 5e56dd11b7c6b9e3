import Foundation

/// A program that was built together with the tests.
package struct BuiltTool {
  /// The output of a run, and its exit status.
  package struct Run {
    package let status: Int32
    package let output: String
    package let error: String
  }

  /// The program was ended by a signal.
  package struct Ended: Error {
    package let signal: Int32
    package let error: String
  }

  package let url: URL

  package init(_ name: String) { url = Self.products.appending(path: name) }

  /// Runs the program to its end, with empty input.
  package func run(_ arguments: [String], in folder: URL) throws -> Run {
    // Files, not pipes: the output need not be read while the program runs.
    let streams = try TemporaryFolder()
    let (output, error) = (streams.file("stdout"), streams.file("stderr"))
    for file in [output, error] { try Data().write(to: file) }
    let tool = try ChildProcess(
      url, arguments, in: folder, output: .file(output), error: .file(error))
    let end = tool.wait()
    let complaint = try String(contentsOf: error, encoding: .utf8)
    switch end {
    case .signal(let signal): throw Ended(signal: signal, error: complaint)
    case .exit(let status):
      return Run(
        status: status, output: try String(contentsOf: output, encoding: .utf8), error: complaint)
    }
  }

  private static var products: URL {
    #if os(macOS)
      for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
        return bundle.bundleURL.deletingLastPathComponent()
      }
    #endif
    return Bundle.main.bundleURL
  }
}
