import GraphQLRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The path and the identity of an open file. Checks that the path still leads to the file.
///
/// Other programs may rename or replace the file or its log while it is open. Data that is written
/// to it after that is lost for users of the path.
final class FileLocation: Sendable {
  let path: String
  let identity: FileIdentity
  /// The log that SQLite has open, and its index; nil if they are not known. SQLite deletes neither
  /// while a process has the file open; another program may.
  private let log: FileIdentity?
  private let index: FileIdentity?
  private let folder: (path: String, identity: FileIdentity?)
  private let forks: Int
  private let state = AtomicNumber(State.isThere.rawValue)
  /// The time of the folder's last change when all three files were found at their paths; 0 if a later
  /// change may have the same time.
  private let unchanged = AtomicNumber<Int64>(0)
  /// When the files themselves were checked, in nanoseconds of the system's clock.
  private let checked = AtomicNumber<UInt64>(0)
  private let readFolder: @Sendable (String) -> FolderState?

  /// In nanoseconds. The folder's time does not show every change: ext4 with `dirsync` sets the time long
  /// before a renaming can be seen if the disk is slow, and a mount over a file does not set it.
  private static let checkInterval: UInt64 = 10_000_000

  private enum State: Int {
    case isThere
    /// Another file is at the path.
    case isGone
    /// Another log or index is at its path, or none.
    case hasLostLog
  }

  /// - Parameter readFolder: reads the state of the file's folder.
  /// - Throws: `replaced` if the path no longer leads to a file.
  init(
    path: String, readFolder: @escaping @Sendable (String) -> FolderState? = FolderState.init
  ) throws(Graph.StoreError) {
    guard let identity = FileIdentity(path: path) else {
      throw Graph.StoreError(
        .replaced, "the store's file was moved or deleted; open the store again")
    }
    self.path = path
    self.identity = identity
    (log, index) = (nil, nil)
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    folder = (parent, FileIdentity(path: parent))
    forks = Forks.count
    self.readFolder = readFolder
  }

  /// The same file after SQLite has opened its log and the log's index, which SQLite keeps open. The
  /// caller has the write lock.
  init(withLogOf location: FileLocation) {
    path = location.path
    identity = location.identity
    log = FileIdentity(path: location.path + "-wal")
    index = FileIdentity(path: location.path + "-shm")
    folder = location.folder
    forks = location.forks
    readFolder = location.readFolder
  }

  /// Whether the process has forked since the file was opened. SQLite's locks stay with the parent,
  /// and this process has inherited only its connections.
  var isInherited: Bool { forks != Forks.count }

  private var known: State { State(rawValue: state.load()) ?? .isThere }

  /// Whether an earlier check has found another file, or another log, at the path.
  var isKnownToBeReplaced: Bool { known != .isThere }

  /// Whether an earlier check has found the file at its path, but not its log.
  var hasLostLog: Bool { known == .hasLostLog }

  /// Checks that the file, its log and the index are still at their paths.
  ///
  /// - Throws: `replaced`, and from then on always; `file` in a process that has inherited the
  ///   connections.
  func check() throws(Graph.StoreError) {
    if !isInherited { checkFolder() }
    try checkKnown()
  }

  /// Checks the files after a commit. The commit of a large transaction takes milliseconds, and
  /// another program may remove the log during it. Such a log is saved, and with it the commit.
  func checkAfterCommit() throws(Graph.StoreError) {
    if !isInherited { checkFolder() }
    if known == .isGone { try checkKnown() }
  }

  /// Three calls of the system for each commit would be a fifth of its time, so one call checks whether
  /// anything in the folder has changed.
  private func checkFolder() {
    let now = readFolder(folder.path)
    let time = WaitLimit.now
    if let now, now.changed == unchanged.load(), now.identity == folder.identity,
      time &- checked.load() < Self.checkInterval
    {
      return
    }
    checkFiles()
    checked.store(time)
    let isCertain = known == .isThere && now?.identity == folder.identity && now?.isSettled == true
    unchanged.store(isCertain ? now?.changed ?? 0 : 0)
  }

  private func checkFiles() {
    if FileIdentity(path: path) != identity {
      state.store(State.isGone.rawValue)
    } else if known == .isThere,
      log != nil && FileIdentity(path: path + "-wal") != log
        || index != nil && FileIdentity(path: path + "-shm") != index
    {
      // If the file itself is not at its path either, its log may have been moved together with it.
      let isThere = FileIdentity(path: path) == identity
      if isThere {
        LostLogs.hold(identity)
        IntegrityCheckMarker.set(path)
      }
      state.store((isThere ? State.hasLostLog : .isGone).rawValue)
    }
  }

  /// Whether no process can have opened the file since its log was lost, as that would have created
  /// another one.
  var isUnopenedSinceLogWasLost: Bool {
    [("-wal", log), ("-shm", index)].allSatisfy { suffix, known in
      FileIdentity(path: path + suffix).map { $0 == known } ?? true
    } && FileIdentity(path: path) == identity
  }

  /// Whether only the file was moved, and no other one is at its path: its log is still there.
  var isMovedWithoutLog: Bool {
    guard known == .isGone, let log, let index else { return false }
    return FileIdentity(path: path) == nil && FileIdentity(path: path + "-wal") == log
      && FileIdentity(path: path + "-shm") == index
  }

  /// ``check()`` without a system call.
  func checkKnown() throws(Graph.StoreError) {
    switch known {
    case .isThere: break
    case .isGone:
      throw Graph.StoreError(
        .replaced, "the store's file was moved or replaced; open the store again")
    case .hasLostLog:
      throw Graph.StoreError(
        .replaced,
        "another program deleted or replaced '\(path)-wal' or '\(path)-shm', which belong to the open file; "
          + "earlier writes may be lost; close all stores of the file, then open it again")
    }
    if isInherited { throw .inherited }
  }

  /// Records that another file is at the path from now on.
  func markReplaced() { state.store(State.isGone.rawValue) }
}

extension Graph.StoreError {
  /// The error of opening a file that this process still has open with a log that is no longer in
  /// the folder.
  static func lostLog(_ path: String) -> Graph.StoreError {
    Graph.StoreError(
      .busy,
      "this process has '\(path)' open with a log that another program deleted or replaced; close all stores of "
        + "the file, then open it again")
  }

  static var inherited: Graph.StoreError {
    Graph.StoreError(
      .file, "the file was opened before the process forked; only the parent process can use it")
  }
}

/// The files that this process has open with a log that is no longer in the folder. Opening them
/// again is refused: SQLite would use the index of the lost log with a new log.
enum LostLogs {
  private static let held = Locked<Set<FileIdentity>>([])

  /// A later opening in this process is refused until ``release(_:)``.
  static func hold(_ identity: FileIdentity) {
    _ = held.withLock { $0.insert(identity) }
  }

  static func release(_ identity: FileIdentity) {
    _ = held.withLock { $0.remove(identity) }
  }

  static func contain(_ identity: FileIdentity) -> Bool {
    held.withLock { $0.contains(identity) }
  }
}

/// A marker file that makes the next opening check the whole file next to it.
enum IntegrityCheckMarker {
  private static let suffix = "-suspect"

  /// Whether an earlier run has found damage.
  static func isSet(_ path: String) -> Bool { FileSafety.exists(path + suffix) }

  static func set(_ path: String) {
    if let descriptor = try? FileSafety.open(path + suffix) { close(descriptor) }
  }

  // Safe: the path is a string that the call borrows.
  static func remove(_ path: String) { unsafe unlink(path + suffix) }
}
