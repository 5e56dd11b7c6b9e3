import Foundation
import TestSupport

extension TemporaryFolder {
  /// A folder with files, by their names.
  init(_ files: KeyValuePairs<String, String>) throws {
    try self.init()
    for (name, text) in files { try write(text, to: name) }
  }

  var path: String { url.path }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and creates its folders.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// All names in a subfolder, including hidden ones; empty if there is no such folder.
  func names(in name: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()) ?? []
  }

  /// The file's identity and time of change, which differ after the file was written.
  func stamp(_ name: String) throws -> [String] {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
    return [FileAttributeKey.systemFileNumber, .modificationDate].map { "\(attributes[$0]!)" }
  }
}
