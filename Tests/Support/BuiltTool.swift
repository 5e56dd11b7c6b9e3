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
    let tool = Process()
    tool.executableURL = url
    tool.arguments = arguments
    tool.currentDirectoryURL = folder
    tool.standardInput = FileHandle.nullDevice
    // Files, not pipes: the output need not be read while the program runs.
    let streams = try TemporaryFolder()
    let (output, error) = (streams.file("stdout"), streams.file("stderr"))
    for file in [output, error] { try Data().write(to: file) }
    tool.standardOutput = try FileHandle(forWritingTo: output)
    tool.standardError = try FileHandle(forWritingTo: error)
    try tool.start()
    tool.waitForEnd()
    let complaint = try String(contentsOf: error, encoding: .utf8)
    guard tool.terminationReason == .exit else {
      throw Ended(signal: tool.terminationStatus, error: complaint)
    }
    return Run(
      status: tool.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      error: complaint)
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
