import Foundation

/// A mistake in `graphql-generator.json` because of which a build cannot be planned.
struct ConfigurationProblem: Error, CustomStringConvertible {
  let description: String

  init(_ file: URL, _ problem: String) { description = "\(file.path): \(problem)" }
}

extension URL {
  /// Whether there is a folder and not a file, after following symbolic links; nil if there is nothing.
  var isExistingFolder: Bool? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue
  }
}
