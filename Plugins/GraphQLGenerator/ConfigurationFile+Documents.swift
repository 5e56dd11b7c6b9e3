import Foundation

/// The documents outside of a target's folder.
struct NamedDocuments {
  fileprivate(set) var files: [URL] = []
  /// The folders in which all documents are used, and those within them.
  fileprivate(set) var folders: [URL] = []
}

extension ConfigurationFile {
  /// The documents that the configuration names. Throws if a path does not exist.
  func namedDocuments() throws -> NamedDocuments {
    var named = NamedDocuments()
    guard let url else { return named }
    let base = url.deletingLastPathComponent()
    for path in documentPaths {
      let place = URL(filePath: path, relativeTo: base).standardizedFileURL
      switch place.isExistingFolder {
      case nil:
        throw ConfigurationProblem(
          url, "\"documents\" names \(path), and there is no such file or folder.")
      case false?: named.files.append(place)
      case true?:
        let search = try FolderSearch(
          in: place.path, ending: ".graphql",
          names: { try FileManager.default.contentsOfDirectory(atPath: $0) },
          isFolder: { URL(filePath: $0).isExistingFolder },
          resolved: { URL(filePath: $0).resolvingSymlinksInPath().path })
        named.files += search.files.map { URL(filePath: $0) }.filter(GraphQLFile.isDocument)
        named.folders += search.folders.map { URL(filePath: $0) }
      }
    }
    return named
  }
}
