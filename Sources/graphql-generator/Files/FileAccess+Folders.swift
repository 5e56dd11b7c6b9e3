extension FileAccess {
  /// The files with an extension in a folder and in those within it, except hidden ones, by path.
  ///
  /// - Parameter ending: the extension with its full stop.
  func files(below folder: String, ending: String) throws(FileError) -> [String] {
    var found: [String] = []
    var folders = [folder]
    while let folder = folders.popLast() {
      for name in try names(in: folder) where !name.hasPrefix(".") {
        let path = Path.join(folder, name)
        switch kind(of: path) {
        case .folder: folders.append(path)
        case .file where name.hasSuffix(ending): found.append(path)
        default: break
        }
      }
    }
    return found.sorted()
  }
}
