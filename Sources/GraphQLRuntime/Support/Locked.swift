import Foundation

/// A value that only one thread at a time can access.
///
/// It replaces Synchronization's `Mutex`. On Linux, ThreadSanitizer does not see how `Mutex`
/// synchronises threads, so it would report false races and hide real ones.
// Safe: the value is accessed only under the lock, whose memory is allocated and freed with this
// object.
@safe package final class Locked<Value: Sendable>: @unchecked Sendable {
  /// POSIX requires that the lock stays at the address where it was initialised.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    let status = unsafe pthread_mutex_init(lock, nil)
    precondition(status == 0, "there is not enough memory for a lock")
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
