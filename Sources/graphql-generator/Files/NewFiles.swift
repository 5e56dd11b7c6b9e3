/// Files and folders that are created together or not at all, and that replace nothing.
struct NewFiles {
  /// The folder of them all, which is created if necessary.
  let root: String
  /// New folders, by their paths below the root, with their files.
  let folders: [(path: String, files: [OutputFile])]
  /// A file in the root; it is created last.
  let file: OutputFile?

  /// The paths of all files, sorted.
  var paths: [String] {
    let names = folders.flatMap { folder in folder.files.map { Path.join(folder.path, $0.name) } }
    return (names + [file?.name].compactMap(\.self)).sorted().map(shown)
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
    if let file, files.kind(of: shown(file.name)) != .nothing {
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
    var done: [Change] = []
    do {
      for folder in [root] + folders.map({ shown(Path.folder(of: $0.path)) }) {
        try makeFolder(folder, files, &done)
      }
      let staging = try stage(&done)
      for (index, folder) in folders.enumerated() {
        // Fails if something is in a folder of that name now.
        let (place, path) = (Path.join(staging, "\(index)"), shown(folder.path))
        try attempt(path) { () throws(SystemError) in try System.rename(place, to: path) }
        done.append(.moved(from: place, to: path))
      }
      if let file { try write(file, in: root, shownIn: Path.folder(of: shown(file.name)), &done) }
      System.removeEmptyFolder(staging)
    } catch {
      for change in done.reversed() { change.undo() }
      throw error
    }
  }

  /// Writes the folders into a temporary one in the root, from which they can be moved in one step
  /// each. Their names are their positions.
  private func stage(_ done: inout [Change]) throws(FileError) -> String {
    let staging = try attempt(root) { () throws(SystemError) in
      try System.makeTemporaryFolder(in: root)
    }
    done.append(.madeFolder(staging))
    for (index, folder) in folders.enumerated() {
      let place = Path.join(staging, "\(index)")
      try attempt(shown(folder.path)) { () throws(SystemError) in try System.makeNewFolder(place) }
      done.append(.madeFolder(place))
      for file in folder.files { try write(file, in: place, shownIn: shown(folder.path), &done) }
    }
    return staging
  }

  /// Creates a folder and those around it, unless they exist.
  private func makeFolder(
    _ path: String, _ files: FileAccess, _ done: inout [Change]
  ) throws(FileError) {
    if path.isEmpty || files.kind(of: path) == .folder { return }
    try makeFolder(Path.folder(of: path), files, &done)
    try attempt(path) { () throws(SystemError) in try System.makeNewFolder(path) }
    done.append(.madeFolder(path))
  }

  /// Creates a file that does not exist.
  ///
  /// - Parameter shownIn: the folder in messages.
  private func write(
    _ file: OutputFile, in folder: String, shownIn: String, _ done: inout [Change]
  ) throws(FileError) {
    let path = Path.join(folder, file.name)
    try attempt(Path.join(shownIn, file.name)) { () throws(SystemError) in
      let descriptor = try Descriptor.created(path)
      done.append(.madeFile(path))
      try descriptor.write(file.bytes)
    }
  }

  private func attempt<Result>(
    _ path: String, _ work: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do { return try work() } catch {
      throw .unwritable(path: path, reason: error.description)
    }
  }

  /// A step that can be undone.
  private enum Change {
    case madeFolder(String)
    case madeFile(String)
    case moved(from: String, to: String)

    /// Each is the last that is not undone, so the folders are empty.
    func undo() {
      switch self {
      case .madeFolder(let path): System.removeEmptyFolder(path)
      case .madeFile(let path): try? System.removeFile(path)
      case .moved(let place, let path): try? System.rename(path, to: place)
      }
    }
  }
}
