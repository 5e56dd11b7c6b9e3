import Foundation

/// A folder for one test; all such folders are removed when the process ends.
package struct TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = Self.root.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  package func file(_ name: String = "test.store") -> URL { url.appending(path: name) }

  private static let root: URL = {
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.root) }
    return FileManager.default.temporaryDirectory
      .appending(path: "treeswift-tests-\(ProcessInfo.processInfo.processIdentifier)")
  }()
}
