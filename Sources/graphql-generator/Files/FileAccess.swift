import Foundation

/// All that the tool does with the file system.
struct FileAccess {
  /// No schema comes near; it bounds the memory that a wrong path can take.
  static let maximumByteCount = 256 << 20

  private var manager: FileManager { .default }

  /// What is at a path, at the end of symbolic links.
  enum Kind {
    case nothing, file, folder
    /// A device, a pipe or a socket.
    case other
  }

  func kind(of path: String) -> Kind {
    var info = stat()
    guard stat(path, &info) == 0 else { return .nothing }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The bytes of a file, or of a pipe up to its end.
  func read(_ path: String) throws(FileError) -> [UInt8] {
    let kind = kind(of: path)
    guard kind != .nothing else { throw .missing(path: path) }
    guard kind != .folder else { throw .isFolder(path: path) }
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: Self.maximumByteCount + 1) ?? Data()
    } catch {
      throw .unreadable(path: path, reason: FileError.reason(error))
    }
    guard data.count <= Self.maximumByteCount else { throw .tooLarge(path: path) }
    return Array(data)
  }

  /// Whether there is a file that begins with the line.
  func file(_ path: String, beginsWith line: String) -> Bool {
    guard kind(of: path) == .file, let handle = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? handle.close() }
    let expected = Data((line + "\n").utf8)
    return (try? handle.read(upToCount: expected.count)) == expected
  }

  /// The names in a folder, sorted; none if it does not exist.
  func names(in folder: String) throws(FileError) -> [String] {
    switch kind(of: folder) {
    case .nothing: return []
    case .file, .other: throw .isNoFolder(path: folder)
    case .folder:
      do {
        return try manager.contentsOfDirectory(atPath: folder).sorted()
      } catch {
        throw .unreadable(path: folder, reason: FileError.reason(error))
      }
    }
  }

  func remove(_ path: String) throws(FileError) {
    do { try manager.removeItem(atPath: path) } catch {
      throw .undeletable(path: path, reason: FileError.reason(error))
    }
  }

  /// Replaces a file as a whole: whoever reads it sees the old contents or the new ones.
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

  /// Replaces several files of a folder, each as a whole, and none before all are written aside.
  ///
  /// - Parameter beforeReplacing: runs when all are written, before the first file is replaced.
  func replace(
    _ contents: [OutputFile], in folder: String,
    beforeReplacing: () throws(FileError) -> Void
  ) throws(FileError) {
    let isNew = kind(of: folder) == .nothing
    let staging = Path.join(folder, ".graphql-generator-\(UUID().uuidString)")
    var isDone = false
    defer {
      try? manager.removeItem(atPath: staging)
      if isNew, !isDone { rmdir(folder) }
    }
    try createFolder(staging)
    for file in contents {
      do { try Data(file.bytes).write(to: URL(filePath: Path.join(staging, file.name))) } catch {
        throw .unwritable(path: Path.join(folder, file.name), reason: FileError.reason(error))
      }
    }
    try beforeReplacing()
    for file in contents {
      let path = Path.join(folder, file.name)
      guard rename(Path.join(staging, file.name), path) == 0 else {
        throw .unwritable(path: path, reason: String(cString: strerror(errno)))
      }
    }
    isDone = true
  }

  private func createFolder(_ path: String) throws(FileError) {
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path: Path.folder(of: path), reason: FileError.reason(error))
    }
  }
}
