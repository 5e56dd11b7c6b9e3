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
    let known = generations.current
    if let generation = try? committed.generation() { generations.see(generation) }
    hub.publishForeign()
    guard generations.current > known else { return }
    // The user has logged out there; what is in memory here goes as well.
    writer.perform { transaction in
      try transaction.removeOverlaysInMemory()
      let transient = Set(transaction.memory.counts.keys)
      var keys: [GraphQL.EntityKey] = []
      for name in transient {
        keys += transaction.memory.records(ofType: name).map {
          GraphQL.EntityKey(typeName: name, key: $0.key)
        }
      }
      try transaction.delete(keys)
    } completion: { _ in
    }
  }
}
