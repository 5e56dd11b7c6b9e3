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

  /// The path relative to a folder; `.` for the folder itself.
  func path(from folder: URL) -> String {
    let origin = folder.standardizedFileURL.pathComponents
    let target = standardizedFileURL.pathComponents
    let common = zip(origin, target).prefix { $0 == $1 }.count
    let steps = origin.dropFirst(common).map { _ in ".." } + target.dropFirst(common)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
