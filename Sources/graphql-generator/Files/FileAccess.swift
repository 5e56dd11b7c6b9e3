import Foundation

/// The tool's access to the file system: Foundation, with the errors that users see.
///
/// Comments name what Foundation does not promise.
struct FileAccess {
  /// Far larger than any schema; it limits the memory that a wrong path can take.
  static let maximumByteCount = 256 << 20

  /// The kind of file at a path, after following symbolic links.
  enum Kind {
    case nothing, file, folder
    /// A device, a pipe or a socket.
    case other
  }

  /// The attributes that Foundation returns are those of a symbolic link, not of its file.
  // Safe: the path is a string that the call borrows, and the result is a local variable.
  func kind(of path: String) -> Kind {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return .nothing }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The bytes of a file, or of a pipe up to its end.
  func read(_ path: String) throws(FileError) -> [UInt8] {
    switch kind(of: path) {
    case .nothing: throw .missing(path: path)
    case .folder: throw .isFolder(path: path)
    case .file, .other: break
    }
    // `Data(contentsOf:)` reads everything, and on Linux no pipe.
    let data = try attempt(FileError.unreadable, path) {
      try FileHandle(forReadingFrom: url(path)).read(upToCount: Self.maximumByteCount + 1)
    }
    guard let data else { return [] }
    guard data.count <= Self.maximumByteCount else { throw .tooLarge(path: path) }
    return Array(data)
  }

  /// Whether there is a file that starts with the line.
  func file(_ path: String, beginsWith line: String) -> Bool {
    guard kind(of: path) == .file else { return false }
    let expected = Data((line + "\n").utf8)
    return (try? FileHandle(forReadingFrom: url(path)).read(upToCount: expected.count)) == expected
  }

  /// The names in a folder, sorted; none if it does not exist.
  func names(in folder: String) throws(FileError) -> [String] {
    switch kind(of: folder) {
    case .nothing: return []
    case .file, .other: throw .isNoFolder(path: folder)
    case .folder:
      return try attempt(FileError.unreadable, folder) {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      }
    }
  }

  /// The path without symbolic links and `..`, as far as there are files.
  ///
  /// Foundation resolves no link in a path whose end does not exist, and removes `..` together with
  /// a link in front of it.
  // Safe: the result is a string that ends in a zero byte, which is copied before it is freed.
  func absolute(_ path: String) -> String {
    if let real = unsafe realpath(path.isEmpty ? "." : path, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    if path.isEmpty { return "/" }
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    let whole = Path.join(absolute(Path.folder(of: path)), Path.name(of: path))
    return url(whole).standardizedFileURL.path
  }

  /// A path that begins with `~` is in the current folder here, as everywhere else in the tool.
  func url(_ path: String) -> URL { URL(filePath: path.hasPrefix("~") ? "./\(path)" : path) }

  /// - Parameter failure: makes the error from the path and a reason.
  func attempt<Result>(
    _ failure: (_ path: String, _ reason: String) -> FileError, _ path: String,
    _ work: () throws -> Result
  ) throws(FileError) -> Result {
    do { return try work() } catch { throw failure(path, FileError.reason(for: error)) }
  }
}
