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
  private let descriptor: Int32

  /// - Parameter path: the lock's own file; made with the permissions 0600 if there is none.
  init(path: String) throws(StoreError) {
    descriptor = try FileSafety.open(path)
  }

  deinit { close(descriptor) }

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
