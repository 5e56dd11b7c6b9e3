import Dispatch
import GraphQLRuntime

extension Writer {
  /// When this store last checked for commits of others.
  struct ForeignCommitCheck: Sendable {
    var isPending = false
    var last: UInt64 = 0
    var hasReportedMove = false
  }

  /// In nanoseconds: the store does not check for each commit of a process that writes often.
  private static let pauseBetweenChecks: UInt64 = 50_000_000

  /// Schedules a check for commits of others.
  func checkForeignCommits() {
    let time = foreignCommitCheck.withLock { check -> UInt64? in
      if check.isPending { return nil }
      check.isPending = true
      return check.last + Self.pauseBetweenChecks
    }
    guard let time else { return }
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: time)) { [weak self] in
      self?.check()
    }
  }

  private func check() {
    foreignCommitCheck.withLock { check in
      check.isPending = false
      check.last = WaitLimit.now
    }
    guard let file = committed.file else { return }
    let isDone: Void? = file.writeLock.amongStores {
      // If the file cannot be read now, it is read again with the next write, which reports the
      // reason.
      try? begin(file)
    }
    // The store with the write lock may be waiting for another process.
    if isDone == nil { checkForeignCommits() }
    try? file.shared.location.check()
    reportIfMoved()
  }

  /// The file was found to be another one: observers of the old data read again, and get the error.
  func reportIfMoved() {
    guard committed.file?.shared.location.isKnownToBeReplaced == true else { return }
    let isFirst = foreignCommitCheck.withLock { check in
      defer { check.hasReportedMove = true }
      return !check.hasReportedMove
    }
    if isFirst { foreign.withLock { $0 }?() }
  }
}
