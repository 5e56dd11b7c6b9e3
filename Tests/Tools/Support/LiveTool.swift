import Foundation
import GraphJSON

/// A running `treeswift-store`, whose output is read while it runs.
package struct LiveTool {
  package let process: ChildProcess
  private let output: URL
  private let streams: TemporaryFolder

  package init(_ arguments: String..., in folder: URL) throws {
    streams = try TemporaryFolder()
    output = streams.file("output")
    try Data().write(to: output)
    process = try ChildProcess(
      BuiltTool("treeswift-store").url, arguments, in: folder, output: .file(output), error: nil)
  }

  package func text() throws -> String { try String(contentsOf: output, encoding: .utf8) }

  /// The complete lines, as JSON.
  package func events() throws -> [JSON] {
    try text().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { try JSON(parsing: Array($0.utf8)) }
  }

  /// How many events of a name there are. The output may be long, so it is not parsed.
  package func count(_ name: String) throws -> Int {
    try text().split(separator: "\n").count { $0.hasPrefix("{\"event\":\"\(name)\"") }
  }

  /// Waits for an event.
  package func event(_ name: String, _ object: String? = nil) async throws -> JSON {
    var found: JSON?
    try await wait {
      if try count(name) == 0 { return false }
      found = try events().last {
        $0["event"] == .string(name) && (object == nil || $0["object"] == object.map(JSON.string))
      }
      return found != nil
    }
    return found ?? .null
  }

  /// Ends it as Ctrl-C does.
  package func interrupt() -> ChildProcess.End {
    process.signal(SIGINT)
    return process.wait()
  }
}
