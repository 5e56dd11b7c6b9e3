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

  /// Whether all of these files have the names that belong to another path now.
  func areAt(_ path: String) -> Bool {
    !files.isEmpty && files.allSatisfy { FileIdentity(path: path + $0.key) == $0.value }
  }

  /// Moves aside those of these files that are still next to a path with a new file. The new file would
  /// use them otherwise. Processes that have them open keep them open.
  // Safe: the paths are strings that the calls borrow.
  func moveAside(from path: String) {
    let left = files.filter { FileIdentity(path: path + $0.key) == $0.value }.keys
    if left.isEmpty { return }
    let aside = FileOpener.unusedPath(for: path)
    for suffix in left { unsafe rename(path + suffix, aside + suffix) }
  }
}

extension SharedFile {
  /// Ensures, before the file is opened at another path, that no two connections of the process use
  /// different logs for the file.
  ///
  /// - Throws: `busy` if the file was moved without its log; the log's contents are in the file
  ///   then.
  func checkMove(to path: String, _ limit: WaitLimit) throws(Graph.StoreError) {
    // All files were moved together: the connections here are no longer usable, but harmless.
    if logFiles.areAt(path) { return }
    try? saveLog(forFileAt: path, limit)
    throw Graph.StoreError(
      .busy,
      "this process has the file open at its former path, '\(location.path)'; close the stores that "
        + "were opened there, then open it again")
  }

  /// Moves the log into the file, which SQLite does not do for a file that was moved. Only if the
  /// file cannot have been opened at its new path.
  private func saveLog(forFileAt path: String, _ limit: WaitLimit) throws(Graph.StoreError) {
    let other = try WriteLock(path: path)
    try other.take(limit)
    defer { other.release() }
    try writeLock.take(limit)
    defer { writeLock.release() }
    guard LogFiles(of: path).isEmpty else { return }
    try writer?.run(.checkpoint)
  }
}

extension SharedFile {
  /// Releases the path, at which there is another file now.
  func releasePath(_ limit: WaitLimit) throws(Graph.StoreError) {
    try writeLock.take(limit)
    defer { writeLock.release() }
    releasePath()
  }

  /// Releases the path, at which there is another file now. The caller has the write lock.
  func releasePath() {
    guard FileIdentity(path: location.path) != location.identity else { return }
    location.markReplaced()
    logFiles.moveAside(from: location.path)
  }
}
