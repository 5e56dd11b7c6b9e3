import Dispatch
import GraphQLRuntime

extension Graph.Store {
  /// Observes commits of other processes, and of other stores of this one, if the store has a file.
  ///
  /// The details of their changes are not known: every observer reads again, and is notified only
  /// if its own state has changed.
  func startObservingCommits() {
    guard let file = committed.file else { return }
    // Registered before the committed state is read, so that no commit is missed between the two.
    file.writeLock.processLock.registerObserver()
    file.onCommitOfOthers { [weak self] in self?.writer.checkForeignCommits() }
    commitObserver.withLock { commitObserver in
      commitObserver = CommitObserver(file.writeLock.processLock.path) { [weak self] in
        self?.writer.checkForeignCommits()
      }
    }
    writer.onForeignCommit { [weak self] in self?.takeOverForeignCommits() }
  }

  private func takeOverForeignCommits() {
    if let generation = try? committed.generation() { logoutCounter.update(to: generation) }
    hub.publishForeign()
    if logoutCounter.markFinished(logoutCounter.current) {
      takeOverLogout()
      // The other store has emptied the extension tables, and has reported the unsent work.
      logoutObservers.publish(nil)
    } else if !committed.memory.overlays.byKey.isEmpty {
      // Another process may have ended their operations.
      writer.perform { _ in
      } completion: { _ in
      }
    }
  }

  /// The user has logged out in another store; the data in memory here is deleted as well.
  private func takeOverLogout() {
    writer.perform { transaction in
      try transaction.takeOverLogout()
    } completion: { [weak self] result in
      guard case .failure(let error as Graph.StoreError) = result, error.code == .busy else {
        return
      }
      // No other code deletes the data in memory, so this is retried.
      self?.writer.queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
        self?.takeOverLogout()
      }
    }
  }
}
