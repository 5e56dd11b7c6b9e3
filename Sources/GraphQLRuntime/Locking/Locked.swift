import Foundation

/// A value that one thread at a time can touch.
///
/// It stands in for Synchronization's `Mutex`, whose hand-over between threads ThreadSanitizer does
/// not see on Linux: with that, every run under it would report races that are none, and hide those
/// that are.
// Safe: the value is reached under the lock only, whose memory is made and freed with this.
@safe package final class Locked<Value: Sendable>: @unchecked Sendable {
  /// POSIX wants the lock to stay where it was initialised.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    let status = unsafe pthread_mutex_init(lock, nil)
    precondition(status == 0, "the system has no memory left for a lock")
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
