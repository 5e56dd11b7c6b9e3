import Dispatch
import GraphQLRuntime

extension Writer {
  /// When it was looked for commits of others.
  struct Checks: Sendable {
    var isPending = false
    var last: UInt64 = 0
    var hasToldOfMove = false
  }

  /// In nanoseconds: the store does not look for each commit of one that writes often.
  private static let pauseBetweenChecks: UInt64 = 50_000_000

  /// Looks soon whether others have committed.
  func checkForeignCommits() {
    let time = checks.withLock { checks -> UInt64? in
      if checks.isPending { return nil }
      checks.isPending = true
      return checks.last + Self.pauseBetweenChecks
    }
    guard let time else { return }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) { [weak self] in
      self?.check()
    }
  }

  private func check() {
    checks.withLock { checks in
      checks.isPending = false
      checks.last = WaitLimit.now
    }
    guard let file = committed.file else { return }
    let isDone: Void? = file.turn.amongStores {
      // A file that cannot be read now is looked at again with the next write, which says why.
      try? begin(file)
    }
    // Who has the turn may be waiting for another process.
    if isDone == nil { checkForeignCommits() }
    try? file.shared.place.check()
    tellIfMoved()
  }

  /// Where the file was found to be another one: who observes what was there reads again, and meets the
  /// error.
  func tellIfMoved() {
    guard committed.file?.shared.place.isKnownToBeGone == true else { return }
    let isFirst = checks.withLock { checks in
      defer { checks.hasToldOfMove = true }
      return !checks.hasToldOfMove
    }
    if isFirst { foreign.withLock { $0 }?() }
  }
}
