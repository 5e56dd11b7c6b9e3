/// Files and folders that are created together or not at all, and that replace nothing.
struct NewFiles {
  /// The folder of them all, which is created if necessary.
  let root: String
  /// New folders, by their paths below the root, with their files.
  let folders: [(path: String, files: [OutputFile])]
  /// Files in the root; they are created last.
  let files: [OutputFile]

  /// The paths of all files, sorted.
  var paths: [String] {
    let names = folders.flatMap { folder in folder.files.map { Path.join(folder.path, $0.name) } }
    return (names + files.map(\.name)).sorted().map(shown)
  }

  /// The path for messages: without the root if that is the current folder.
  func shown(_ path: String) -> String { root == "." ? path : Path.join(root, path) }

  /// - Throws: the first thing that is in the way.
  func check(_ files: FileAccess) throws(FileError) {
    try checkFolder(root, files)
    for folder in folders {
      let path = shown(folder.path)
      try checkFolder(Path.folder(of: path), files)
      switch files.kind(of: path) {
      case .nothing: break
      case .file, .other: throw .exists(path: path)
      case .folder:
        if let name = try files.names(in: path).first { throw .exists(path: Path.join(path, name)) }
      }
    }
    for file in self.files where files.kind(of: shown(file.name)) != .nothing {
      throw .exists(path: shown(file.name))
    }
  }

  /// Throws if a folder cannot be created because a file is in the way.
  private func checkFolder(_ path: String, _ files: FileAccess) throws(FileError) {
    if path.isEmpty { return }
    switch files.kind(of: path) {
    case .folder: break
    case .file, .other: throw .isNoFolder(path: path)
    case .nothing: try checkFolder(Path.folder(of: path), files)
    }
  }

  /// Writes everything into a temporary folder, and then moves it. If that fails, it is undone.
  func create(_ files: FileAccess) throws(FileError) {
    try check(files)
    let staging = try files.makeStagingFolder(for: root)
    defer { files.remove(staging) }
    try stage(in: staging, files)

    var made: [String] = []
    var moved: [String] = []
    do {
      for folder in [root] + folders.map({ shown(Path.folder(of: $0.path)) }) {
        try makeFolder(folder, files, &made)
      }
      for (index, folder) in folders.enumerated() {
        // Fails if something is in a folder of that name now.
        try files.move(Path.join(staging, "\(index)"), over: shown(folder.path))
        moved.append(shown(folder.path))
      }
      for file in self.files {
        try files.move(Path.join(staging, file.name), toNew: shown(file.name))
        moved.append(shown(file.name))
      }
    } catch {
      moved.forEach(files.remove)
      made.reversed().forEach(files.removeIfEmpty)
      throw error
    }
  }

  /// Writes the folders, whose names there are their positions, and the files.
  private func stage(in staging: String, _ files: FileAccess) throws(FileError) {
    for (index, folder) in folders.enumerated() {
      let (place, path) = (Path.join(staging, "\(index)"), shown(folder.path))
      try files.makeFolder(place, shownAs: path)
      try files.write(folder.files, into: place, shownAs: path)
    }
    try files.write(self.files, into: staging, shownAs: root == "." ? "" : root)
  }

  /// Creates a folder and those around it, unless they exist.
  private func makeFolder(
    _ path: String, _ files: FileAccess, _ made: inout [String]
  ) throws(FileError) {
    if path.isEmpty || files.kind(of: path) == .folder { return }
    try makeFolder(Path.folder(of: path), files, &made)
    try files.makeFolder(path, shownAs: path)
    made.append(path)
  }
}
