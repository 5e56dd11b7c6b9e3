/// The files in a folder and in those within it, except hidden ones. The build-tool plugin has this source
/// file too, so that the tool finds what the plugin has planned.
struct FolderSearch {
  /// The files with the extension, by path.
  private(set) var files: [String] = []
  /// The folder itself, and those within it.
  private(set) var folders: [String] = []

  /// - Parameters:
  ///   - ending: the extension with its full stop.
  ///   - names: the names in a folder.
  ///   - isFolder: nil if there is neither a file nor a folder.
  ///   - resolved: the path without symbolic links.
  init<Failure: Error>(
    in folder: String, ending: String, names: (String) throws(Failure) -> [String],
    isFolder: (String) -> Bool?, resolved: (String) -> String
  ) throws(Failure) {
    // A link may lead to a folder around it.
    var known: Set = [resolved(folder)]
    var pending = [folder]
    while let folder = pending.popLast() {
      folders.append(folder)
      for name in try names(folder).sorted() where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        switch isFolder(path) {
        case true?: if known.insert(resolved(path)).inserted { pending.append(path) }
        case false? where name.hasSuffix(ending): files.append(path)
        default: break
        }
      }
    }
    files.sort()
  }
}
