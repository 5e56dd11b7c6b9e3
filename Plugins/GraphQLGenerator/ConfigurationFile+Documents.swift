import Foundation

extension ConfigurationFile {
  /// The documents outside of the target's folder. Throws if a path does not exist.
  func namedDocuments() throws -> [URL] {
    guard let url else { return [] }
    let base = url.deletingLastPathComponent()
    return try documentPaths.flatMap { path -> [URL] in
      let place = URL(filePath: path, relativeTo: base).standardizedFileURL
      switch place.isExistingFolder {
      case nil:
        throw ConfigurationProblem(
          url, "\"documents\" names \(path), and there is no such file or folder.")
      case false?: return [place]
      case true?:
        let files = FileManager.default.enumerator(
          at: place, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        return (files?.compactMap { $0 as? URL } ?? []).filter(GraphQLFile.isDocument)
          .sorted { $0.path < $1.path }
      }
    }
  }
}
