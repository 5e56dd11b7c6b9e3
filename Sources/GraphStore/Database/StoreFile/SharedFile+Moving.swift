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
