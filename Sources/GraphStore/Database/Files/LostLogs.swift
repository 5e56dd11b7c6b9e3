import GraphQLRuntime

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
