#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files next to a store's file that SQLite has open with it: its log, and the log's index.
/// SQLite finds them by the path, and shares the index among the connections of a process by the
/// file's inode.
struct LogFiles: Sendable {
  /// The files by the suffixes of their names.
  private let files: [String: FileIdentity]

  /// The existing files.
  init(of path: String) {
    var files: [String: FileIdentity] = [:]
    for suffix in FileOpener.logSuffixes { files[suffix] = FileIdentity(path: path + suffix) }
    self.files = files
  }

  var isEmpty: Bool { files.isEmpty }

  /// Whether all of these files are next to `path` now.
  func areAt(_ path: String) -> Bool {
    !files.isEmpty && files.allSatisfy { FileIdentity(path: path + $0.key) == $0.value }
  }

  /// Moves those of these files aside that are still at `path`, where there is a new file now: SQLite
  /// would use them with the new file. Processes that have them open keep them open.
  // Safe: the paths are strings that the calls borrow.
  func moveAside(from path: String) {
    let left = files.filter { FileIdentity(path: path + $0.key) == $0.value }.keys
    if left.isEmpty { return }
    let aside = FileOpener.unusedPath(for: path)
    for suffix in left { unsafe rename(path + suffix, aside + suffix) }
  }
}
