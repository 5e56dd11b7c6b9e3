#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files beside a store's file that SQLite has open with it: its log, and the index of that. SQLite finds
/// them by the path, and shares the index among the connections of a process by the file's inode.
struct Companions: Sendable {
  private let files: [String: FileIdentity]

  /// What is there now.
  init(of path: String) {
    var files: [String: FileIdentity] = [:]
    for name in FileOpener.companions { files[name] = FileIdentity(path: path + name) }
    self.files = files
  }

  var isEmpty: Bool { files.isEmpty }

  /// Whether all of these are at another path now.
  func areAt(_ path: String) -> Bool {
    !files.isEmpty && files.allSatisfy { FileIdentity(path: path + $0.key) == $0.value }
  }

  /// Moves those of these aside that are still at a path, where another file is now: it would take them for
  /// its own. Who has them open keeps them open.
  // Safe: the paths are strings that the calls borrow.
  func moveAside(from path: String) {
    let left = files.filter { FileIdentity(path: path + $0.key) == $0.value }.keys
    if left.isEmpty { return }
    let aside = FileOpener.unusedPath(besides: path)
    for name in left { unsafe rename(path + name, aside + name) }
  }
}

extension SharedFile {
  /// Makes sure, before the file is opened at another path, that no two connections of the process take
  /// different logs for the file's.
  ///
  /// - Throws: `busy` where the file was moved without its log; what the log has is in the file then.
  func checkMove(to path: String, _ limit: WaitLimit) throws(StoreError) {
    // All was moved together: the connections here are of no use any more, but do no harm.
    if companions.areAt(path) { return }
    try? saveLog(forFileAt: path, limit)
    throw StoreError(
      .busy,
      "this process has the file open as '\(place.path)', from where it was moved; close the stores that "
        + "were opened there, then open it again")
  }

  /// Moves the log into the file, which SQLite does not do for a file that was moved. Only where nobody can
  /// have opened the file at its new path.
  private func saveLog(forFileAt path: String, _ limit: WaitLimit) throws(StoreError) {
    let other = try WriteTurn(path: path)
    try other.take(limit)
    defer { other.release() }
    try turn.take(limit)
    defer { turn.release() }
    guard Companions(of: path).isEmpty else { return }
    try writer?.run(.checkpoint)
  }
}

extension SharedFile {
  /// Gives up the path, at which there is another file now.
  func makeWay(_ limit: WaitLimit) throws(StoreError) {
    try turn.take(limit)
    defer { turn.release() }
    leavePath()
  }

  /// The same for one who has the turn.
  func leavePath() {
    guard FileIdentity(path: place.path) != place.identity else { return }
    place.leave()
    companions.moveAside(from: place.path)
  }
}
