#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An advisory lock that processes take in turns, on a file beside the store's.
///
/// It excludes threads as well, as each lock has its own descriptor. The system lets go of it when
/// the process ends, however it ends.
final class ProcessLock: Sendable {
  let path: String
  private let descriptor: Int32

  /// - Parameter path: the lock's own file; made with the permissions 0600 if there is none.
  init(path: String) throws(StoreError) {
    self.path = path
    descriptor = try FileSafety.open(path)
  }

  deinit { close(descriptor) }

  /// Takes the lock if nobody has it; ``hold(_:failure:)`` finds it taken then, and lets go of it.
  func take() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Writes to the lock's file, for who watches it: once for each commit, where the log is written to
  /// several times for each page.
  // Safe: one byte is written, that of a local variable.
  func announceCommit() {
    var mark = UInt8(ascii: "\n")
    // Nobody is told of a commit that cannot be announced before the next one.
    _ = unsafe pwrite(descriptor, &mark, 1, 0)
  }

  /// Waits for the lock and holds it during `body`.
  func hold<T, E: Error>(
    _ body: () throws(E) -> T, failure: (StoreError) -> E
  ) throws(E) -> T {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw failure(StoreError(.file, "cannot lock the store's lock file: errno \(errno)"))
      }
    }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }
}
