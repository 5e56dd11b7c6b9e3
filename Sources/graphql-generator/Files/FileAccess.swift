/// The tool's access to the file system.
struct FileAccess {
  /// Far larger than any schema; it limits the memory that a wrong path can take.
  static let maximumByteCount = 256 << 20

  /// The kind of file at a path, after following symbolic links.
  enum Kind {
    case nothing, file, folder
    /// A device, a pipe or a socket.
    case other
  }

  func kind(of path: String) -> Kind { System.kind(of: path) }

  /// The bytes of a file, or of a pipe up to its end.
  func read(_ path: String) throws(FileError) -> [UInt8] {
    try checkIsReadable(path)
    do {
      let bytes = try Descriptor.opened(path).bytes(upToCount: Self.maximumByteCount + 1)
      guard bytes.count <= Self.maximumByteCount else { throw FileError.tooLarge(path: path) }
      return bytes
    } catch let error as FileError {
      throw error
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  private func checkIsReadable(_ path: String) throws(FileError) {
    switch kind(of: path) {
    case .nothing: throw .missing(path: path)
    case .folder: throw .isFolder(path: path)
    case .file, .other: break
    }
  }

  /// Whether a file has exactly these contents.
  func file(_ path: String, contains bytes: [UInt8]) throws(FileError) -> Bool {
    try checkIsReadable(path)
    do { return try Descriptor.opened(path).contains(bytes) } catch {
      throw .unreadable(path: path, reason: error.description)
    }
  }

  /// Whether there is a file that starts with the line.
  func file(_ path: String, beginsWith line: String) -> Bool {
    guard kind(of: path) == .file else { return false }
    let expected = Array((line + "\n").utf8)
    return (try? Descriptor.opened(path).bytes(upToCount: expected.count)) == expected
  }

  /// The names in a folder, sorted; none if it does not exist.
  func names(in folder: String) throws(FileError) -> [String] {
    switch kind(of: folder) {
    case .nothing: return []
    case .file, .other: throw .isNoFolder(path: folder)
    case .folder:
      do { return try System.names(in: folder).sorted() } catch {
        throw .unreadable(path: folder, reason: error.description)
      }
    }
  }

  func remove(_ path: String) throws(FileError) {
    do { try System.removeFile(path) } catch {
      throw .undeletable(path: path, reason: error.description)
    }
  }

  /// Replaces a file as a whole: readers see the old contents or the new ones.
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    switch kind(of: path) {
    case .nothing, .file: break
    case .folder: throw .isFolder(path: path)
    case .other: throw .isNoFile(path: path)
    }
    let folder = Path.folder(of: path)
    try replace(
      [OutputFile(name: Path.name(of: path), bytes: bytes)], in: folder.isEmpty ? "." : folder
    ) {}
  }

  /// Replaces several files of a folder, each as a whole, after all of them are written to a
  /// temporary folder.
  ///
  /// - Parameter beforeReplacing: runs after all are written, before the first file is replaced.
  func replace(
    _ contents: [OutputFile], in folder: String,
    beforeReplacing: () throws(FileError) -> Void
  ) throws(FileError) {
    let isNew = kind(of: folder) == .nothing
    var isDone = false
    defer { if isNew, !isDone { System.removeEmptyFolder(folder) } }
    let staging = try stagingFolder(in: folder)
    defer {
      // Files that were moved out of it are no longer there.
      for file in contents where !isDone { try? System.removeFile(Path.join(staging, file.name)) }
      System.removeEmptyFolder(staging)
    }
    for file in contents {
      do { try Descriptor.created(Path.join(staging, file.name)).write(file.bytes) } catch {
        throw .unwritable(path: Path.join(folder, file.name), reason: error.description)
      }
    }
    try beforeReplacing()
    for file in contents {
      let path = Path.join(folder, file.name)
      do { try System.rename(Path.join(staging, file.name), to: path) } catch {
        throw .unwritable(path: path, reason: error.description)
      }
    }
    isDone = true
  }

  /// A new folder in a folder that is created if necessary: files can be moved between them in one
  /// step.
  private func stagingFolder(in folder: String) throws(FileError) -> String {
    do {
      try System.makeFolder(folder)
      return try System.makeTemporaryFolder(in: folder)
    } catch {
      throw .unwritable(path: folder, reason: error.description)
    }
  }
}
