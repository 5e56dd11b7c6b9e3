#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that only one thread at a time can access.
///
/// Synchronization's `Mutex` needs macOS 15 or iOS 18. On Linux, ThreadSanitizer does not see how it
/// synchronises threads (Swift 6.3), so it would report false races in programs of users. A lock of
/// pthreads takes as long: 11 ns with several threads, `Mutex` 10 ns.
// Safe: the value is accessed only under the lock, whose address does not change.
@safe package final class Locked<Value: Sendable>: @unchecked Sendable {
  // It is first, and used only by its address, see `firstProperty(of:as:)`.
  #if canImport(Darwin)
    private typealias Lock = os_unfair_lock
    private var lock = os_unfair_lock()
  #else
    private typealias Lock = pthread_mutex_t
    private var lock = unsafe pthread_mutex_t()
  #endif
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    #if !canImport(Darwin)
      let status = unsafe pthread_mutex_init(address, nil)
      precondition(status == 0, "there is not enough memory for a lock")
    #endif
  }

  #if !canImport(Darwin)
    deinit { unsafe pthread_mutex_destroy(address) }
  #endif

  private var address: UnsafeMutablePointer<Lock> { unsafe firstProperty(of: self, as: Lock.self) }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if canImport(Darwin)
      unsafe os_unfair_lock_lock(address)
      defer { unsafe os_unfair_lock_unlock(address) }
    #else
      unsafe pthread_mutex_lock(address)
      defer { unsafe pthread_mutex_unlock(address) }
    #endif
    return try body(&value)
  }
}
