import Dispatch
import GraphQLRuntime

extension Store {
  /// Watches for commits of other processes, and of other stores of this one, where the store has a file.
  ///
  /// What they changed is not known: every observer looks again, and is told only if its own state is
  /// another one.
  func startWatching() {
    guard let file = committed.file else { return }
    // Before it is looked at what is committed now, so that no commit falls between the two.
    file.turn.lock.attend()
    file.onCommitOfOthers { [weak self] in self?.writer.checkForeignCommits() }
    watcher.withLock { watcher in
      watcher = CommitWatcher(file.turn.lock.path) { [weak self] in
        self?.writer.checkForeignCommits()
      }
    }
    writer.onForeignCommit { [weak self] in self?.takeOverForeignCommits() }
  }

  private func takeOverForeignCommits() {
    if let generation = try? committed.generation() { generations.see(generation) }
    hub.publishForeign()
    if generations.finish(generations.current) {
      takeOverLogout()
      // The other store has emptied the side tables, and has reported the unsent work.
      clearings.publish([])
    }
  }

  /// The user has logged out in another store; what is in memory here goes as well.
  private func takeOverLogout() {
    writer.perform { transaction in
      try transaction.takeOverLogout()
    } completion: { [weak self] result in
      guard case .failure(let error as StoreError) = result, error.code == .busy else { return }
      // Nobody else will delete it.
      self?.writer.queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
        self?.takeOverLogout()
      }
    }
  }
}
