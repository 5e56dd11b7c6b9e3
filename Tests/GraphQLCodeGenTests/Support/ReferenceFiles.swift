import Foundation
import GraphQLCodeGen
import Testing

/// A folder with output of the generator, as files to be read.
///
/// With `RECORD=1` in the environment the files are written instead of compared.
struct ReferenceFiles {
  let folder: URL

  private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

  /// Expects that the folder has the files, and no others.
  ///
  /// - Parameter inputs: other files in the folder.
  func expectEqual(_ files: [GeneratedFile], inputs: [String] = []) throws {
    for file in files {
      let path = folder.appending(path: file.name)
      if Self.isRecording {
        try file.contents.write(to: path, atomically: true, encoding: .utf8)
      }
      #expect(
        try String(contentsOf: path, encoding: .utf8) == file.contents,
        "\(file.name) differs; if that is intended, run once with RECORD=1")
    }
    let stored = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(stored) == Set(files.map(\.name) + inputs))
  }
}
