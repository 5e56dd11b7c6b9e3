import Foundation
import GraphJSON
import GraphQLRuntime

/// The files that this process has open. A file is the same regardless of the path by which it is
/// opened.
enum OpenFiles {
  // Safe: it does not change, and a file that was just released is nil.
  private struct Weakly: @unchecked Sendable {
    weak var file: SharedFile?
  }

  private struct State: Sendable {
    var files: [FileIdentity: Weakly] = [:]
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
  ) throws(StoreError) -> (file: SharedFile, recovery: StoreRecovery?) {
    try begin(path, limit)
    defer { state.withLock { _ = $0.opening.remove(ExactKey(path)) } }
    if let known = try known(path, limit) {
      guard SuspectMark.isSet(path) else { return (known, nil) }
      let recovery = try known.examine(limit)
      if recovery == nil { return (known, nil) }
      let opened = try openAnew(path, limit, recorder)
      return (opened.file, recovery ?? opened.recovery)
    }
    return try openAnew(path, limit, recorder)
  }

  /// A later opening in this process is refused.
  static func refuse(_ identity: FileIdentity) {
    _ = state.withLock { $0.refused.insert(identity) }
  }

  private static func openAnew(
    _ path: String, _ limit: WaitLimit, _ recorder: SQLRecorder?
  ) throws(StoreError) -> (file: SharedFile, recovery: StoreRecovery?) {
    let turn = try WriteTurn(path: path)
    try turn.take(limit)
    defer { turn.release() }
    let opened = try FileOpener(path: path, recorder: recorder, limit: limit).open()
    if opened.recovery != nil { turn.lock.announceCommit() }
    let file = try SharedFile(
      place: opened.file.place, turn: turn, writer: opened.file.connection, recorder: recorder)
    // A file that is released meanwhile must not end under the lock, which it may need.
    _ = state.withLock { state -> [SharedFile] in
      let open = state.files.compactMapValues(\.file)
      state.files = state.files.filter { open[$0.key] != nil }
      state.files[file.place.identity] = Weakly(file: file)
      return Array(open.values)
    }
    return (file, opened.recovery)
  }

  private static func known(
    _ path: String, _ limit: WaitLimit
  ) throws(StoreError) -> SharedFile? {
    // Before a lock file is created next to a file of another kind.
    try FileSafety.check(path, isOptional: true)
    guard let identity = FileIdentity(path: path) else { return nil }
    // Files leave the lock with their references: the last one to go ends its file, which needs it.
    let (known, open, isRefused, isHeld) = state.withLock { state in
      (
        state.files[identity]?.file, state.files.values.compactMap(\.file),
        state.refused.contains(identity), LostLogs.contain(identity)
      )
    }
    let replaced = open.filter {
      $0.place.path.hasSameBytes(as: path) && $0.place.identity != identity
    }
    if isRefused || known?.place.isInherited == true { throw .inherited }
    if let known, !isHeld { try? known.place.check() }
    if isHeld || known?.place.hasLostLog == true { throw .lostLog(path) }
    for file in replaced where !file.place.isInherited { try file.makeWay(limit) }
    guard let known else { return nil }
    // A file that has two paths without having been moved is still at the first one.
    if !known.place.path.hasSameBytes(as: path), (try? known.place.check()) == nil {
      try known.checkMove(to: path, limit)
    }
    // A moved file has come back: its state in memory is out of date.
    return known.place.isKnownToBeGone ? nil : known
  }

  /// Opening one path twice at the same time would create two sets of connections.
  private static func begin(_ path: String, _ limit: WaitLimit) throws(StoreError) {
    while !state.withLock({ $0.opening.insert(ExactKey(path)).inserted }) {
      guard WaitLimit.now < limit.end() else {
        throw StoreError(
          .busy, "waited \(limit.text) for another thread of this process, which opens the file")
      }
      usleep(500)
    }
  }
}
