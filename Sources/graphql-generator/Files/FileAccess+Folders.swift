extension FileAccess {
  /// The files with an extension in a folder and in those within it, except hidden ones, by path.
  ///
  /// - Parameter ending: the extension with its full stop.
  func files(below folder: String, ending: String) throws(FileError) -> [String] {
    try FolderSearch(
      in: folder, ending: ending, names: names,
      isFolder: { path in
        switch kind(of: path) {
        case .folder: true
        case .file: false
        case .nothing, .other: nil
        }
      }, resolved: absolute
    ).files
  }
}
