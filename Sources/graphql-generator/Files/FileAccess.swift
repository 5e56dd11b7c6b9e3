#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tool's access to the file system: Foundation, with the errors that users see.
///
/// It uses FoundationEssentials, since loading all of Foundation on Linux takes longer than reading a
/// large schema.
struct FileAccess {
  /// Far larger than any schema; it limits the memory that a wrong path can take.
  static let maximumByteCount = 256 << 20

  /// The kind of file at a path, after following symbolic links.
  enum Kind {
    case nothing, file, folder
    /// A device, a pipe or a socket.
    case other
  }

  /// The bytes of a file, or of a pipe up to its end.
  func read(_ path: String) throws(FileError) -> [UInt8] {
    switch kind(of: path) {
    case .nothing: throw .missing(path: path)
    case .folder: throw .isFolder(path: path)
    case .file, .other: break
    }
    let contents = try attempt(FileError.unreadable, path) {
      try bytes(of: path, upToCount: Self.maximumByteCount + 1)
    }
    guard contents.count <= Self.maximumByteCount else { throw .tooLarge(path: path) }
    return contents
  }

  /// Whether there is a file that starts with the line.
  func file(_ path: String, beginsWith line: String) -> Bool {
    guard kind(of: path) == .file else { return false }
    let expected = Array((line + "\n").utf8)
    return (try? bytes(of: path, upToCount: expected.count)) == expected
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
