import Foundation
import GraphJSON
import GraphQLRuntime

/// The files that this process has open. A file is the same regardless of the path by which it is
/// opened.
enum OpenFileRegistry {
  /// The reference is weak, since a file must close with its last store. Only a file that is opened
  /// again is retained.
  // Safe: it does not change, and a file that was just released is nil.
  private struct Entry: @unchecked Sendable {
    weak var file: SharedFile?
    let object: ObjectIdentifier
    let path: String

    init(_ file: SharedFile) {
      self.file = file
      object = ObjectIdentifier(file)
      path = file.location.path
    }
  }

  private struct State: Sendable {
    var files: [FileIdentity: Entry] = [:]
    /// Files with inherited connections that this process cannot use.
    var refused: Set<FileIdentity> = []
    /// The paths that are being opened.
    var opening: Set<ExactKey> = []
  }

  private static let state = Locked(State())

  /// The file at a path, with a recovery report if it could not be read.
  ///
  /// - Throws: the errors of ``StoreFile/init(_:configuration:)``.
  static func open(
    _ path: String, _ limit: WaitLimit, recorder: SQLRecorder?
  ) throws(Graph.StoreError) -> (file: SharedFile, recovery: Graph.StoreRecovery?) {
    try begin(path, limit)
    defer { state.withLock { _ = $0.opening.remove(ExactKey(path)) } }
    if let known = try known(path, limit) {
      guard IntegrityCheckMarker.isSet(path) else { return (known, nil) }
      let recovery = try known.examine(limit)
      if recovery == nil { return (known, nil) }
      let opened = try openNew(path, limit, recorder)
      return (opened.file, recovery ?? opened.recovery)
    }
    return try openNew(path, limit, recorder)
  }

  /// The file is being closed.
  static func remove(_ file: SharedFile) {
    state.withLock { state in
      let identity = file.location.identity
      if state.files[identity]?.object == ObjectIdentifier(file) { state.files[identity] = nil }
    }
  }

  /// A later opening in this process is refused.
  static func refuse(_ identity: FileIdentity) {
    _ = state.withLock { $0.refused.insert(identity) }
  }

  private static func openNew(
    _ path: String, _ limit: WaitLimit, _ recorder: SQLRecorder?
  ) throws(Graph.StoreError) -> (file: SharedFile, recovery: Graph.StoreRecovery?) {
    let writeLock = try WriteLock(path: path)
    try writeLock.take(limit)
    defer { writeLock.release() }
    let opened = try FileOpener(path: path, recorder: recorder, limit: limit).open()
    if opened.recovery != nil { writeLock.processLock.announceCommit() }
    let file = try SharedFile(
      location: opened.file.location, writeLock: writeLock, writer: opened.file.connection,
      recorder: recorder)
    state.withLock { $0.files[file.location.identity] = Entry(file) }
    return (file, opened.recovery)
  }

  private static func known(
    _ path: String, _ limit: WaitLimit
  ) throws(Graph.StoreError) -> SharedFile? {
    // Before a lock file is created next to a file of another kind.
    try FileSafety.check(path, isOptional: true)
    guard let identity = FileIdentity(path: path) else { return nil }
    // The references leave the lock before they are released: releasing the last one ends the file,
    // which takes the lock.
    let (known, replaced, isRefused, isHeld) = state.withLock { state in
      (
        state.files[identity]?.file,
        state.files.filter { $0.key != identity && $0.value.path.hasSameBytes(as: path) }
          .compactMap(\.value.file),
        state.refused.contains(identity), LostLogs.contain(identity)
      )
    }
    if isRefused || known?.location.isInherited == true { throw .inherited }
    if let known, !isHeld { try? known.location.check() }
    if isHeld || known?.location.hasLostLog == true {
      guard try hasMoved(identity, from: path, limit) else { throw .lostLog(path) }
      return try self.known(path, limit)
    }
    for file in replaced where !file.location.isInherited { try file.releasePath(limit) }
    guard let known else { return nil }
    // A file that has two paths without having been moved is still at the first one.
    if !known.location.path.hasSameBytes(as: path), (try? known.location.check()) == nil {
      try known.checkMove(to: path, limit)
    }
    // A moved file has come back: its state in memory is out of date.
    return known.location.isKnownToBeReplaced ? nil : known
  }

  /// Whether the file has left its path. A process that moves a file aside moves its log first, and holds
  /// the write lock until the file is moved as well.
  private static func hasMoved(
    _ identity: FileIdentity, from path: String, _ limit: WaitLimit
  ) throws(Graph.StoreError) -> Bool {
    let writeLock = try WriteLock(path: path)
    try writeLock.take(limit)
    defer { writeLock.release() }
    return FileIdentity(path: path) != identity
  }

  /// Opening one path twice at the same time would create two sets of connections.
  private static func begin(_ path: String, _ limit: WaitLimit) throws(Graph.StoreError) {
    while !state.withLock({ $0.opening.insert(ExactKey(path)).inserted }) {
      guard WaitLimit.now < limit.end() else {
        throw Graph.StoreError(
          .busy, "waited \(limit.text) for another thread of this process, which opens the file")
      }
      usleep(500)
    }
  }
}
