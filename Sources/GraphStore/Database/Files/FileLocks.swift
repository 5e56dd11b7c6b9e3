// Safe: a semaphore may be used on any thread, and is not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import Foundation
import GraphQLRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right to use the one connection that writes to a file: a write lock among the stores of this
/// process first, then among processes.
final class WriteLock: Sendable {
  let processLock: ProcessLock
  private let name: String
  private let stores = DispatchSemaphore(value: 1)
  /// A forked process shares the lock with its parent: releasing it would take it from the parent.
  private let forks = Forks.count
  /// When this process last released the write lock, in nanoseconds of the system's clock.
  private let released = AtomicNumber<UInt64>(0)
  /// When this process last got the write lock.
  private let taken = AtomicNumber<UInt64>(0)

  /// A process that had the lock for this long, in nanoseconds, checks whether others wait before
  /// it takes the lock again. The others check only from time to time, and would miss the short
  /// time between a release and the next use of the lock.
  private static let longTime: UInt64 = ProcessLock.reportsWaiting ? 1_000_000 : 100_000_000

  /// - Parameter path: the store's file.
  init(path: String) throws(Graph.StoreError) {
    processLock = try ProcessLock(path: path + "-lock")
    name = path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Takes the write lock if it is free, until ``release()``.
  func tryToTake() -> Bool {
    guard !isInherited, stores.wait(timeout: .now()) == .success else { return false }
    if !yieldsToOthers, processLock.tryToTake() {
      taken.store(WaitLimit.now)
      return true
    }
    stores.signal()
    return false
  }

  /// Waits for the write lock, which ends with ``release()``.
  ///
  /// - Throws: `busy` after the limit; `file`, also in a process that has forked since the file was opened.
  func take(_ limit: WaitLimit) throws(Graph.StoreError) {
    if isInherited { throw .inherited }
    try enter(limit)
    do throws(Graph.StoreError) {
      if yieldsToOthers { processLock.yield() }
      try processLock.take(limit) { released.load() }
    } catch {
      stores.signal()
      throw error
    }
    taken.store(WaitLimit.now)
  }

  func release() {
    released.store(WaitLimit.now)
    // The parent may have forked while it had the lock.
    if !isInherited { processLock.release() }
    stores.signal()
  }

  /// Keeps the file's writing connection from other stores of this process during `body`, not from other
  /// processes.
  ///
  /// - Returns: nil if another store has it.
  func amongStores<T>(_ body: () -> T) -> T? {
    guard stores.wait(timeout: .now()) == .success else { return nil }
    defer { stores.signal() }
    return body()
  }

  /// Whether the process has forked since the file was opened.
  var isInherited: Bool { forks != Forks.count }

  private func enter(_ limit: WaitLimit) throws(Graph.StoreError) {
    while true {
      let end = end(of: limit)
      if stores.wait(timeout: DispatchTime(uptimeNanoseconds: end)) == .success { return }
      // Another store has had the write lock during the wait, so waiting starts again.
      guard self.end(of: limit) == end else { continue }
      throw Graph.StoreError(
        .busy,
        "waited \(limit.text) for another store of this process, which writes to '\(name)'")
    }
  }

  /// Waiting starts again whenever this process gets the lock, as a write may have waited for
  /// earlier ones.
  private func end(of limit: WaitLimit) -> UInt64 {
    limit.end(since: released.load())
  }

  /// Whether this process just had the lock for long and others wait.
  private var yieldsToOthers: Bool {
    let released = released.load()
    let taken = taken.load()
    return released > taken && released - taken > Self.longTime && processLock.isAwaited
  }
}

/// An advisory lock for processes, on a file next to the store's.
///
/// It excludes threads as well, as each lock has its own descriptor. The system releases it when
/// the process ends for any reason.
final class ProcessLock: Sendable {
  let path: String
  private let descriptor: Int32

  /// - Parameter path: the lock's own file; created with the permissions 0600 if there is none.
  init(path: String) throws(Graph.StoreError) {
    self.path = path
    descriptor = try FileSafety.open(path)
  }

  deinit { close(descriptor) }

  /// Takes the lock if it is free, until ``release()``.
  func tryToTake() -> Bool { failureOfTaking() == 0 }

  /// - Returns: 0, or the error.
  private func failureOfTaking() -> Int32 {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
  }

  func release() { flock(descriptor, LOCK_UN) }

  /// Waits for the lock, which the caller has until ``release()``.
  ///
  /// The system has no call that waits for such a lock for a limited time, so this checks it
  /// repeatedly, at least once a millisecond. A waiting process locks the second byte.
  ///
  /// - Parameter since: when this process last released the lock. The limit counts from then if that
  ///   is later than its start.
  /// - Throws: `busy` after the limit, `file`.
  func take(_ limit: WaitLimit, since: () -> UInt64 = { 0 }) throws(Graph.StoreError) {
    var failure = failureOfTaking()
    if failure == 0 { return }
    defer { setWaiting(false) }
    var pause: UInt32 = 50
    while failure != 0 {
      let name = path.split(separator: "/").last ?? ""
      guard failure == EWOULDBLOCK || failure == EINTR else {
        throw Graph.StoreError(
          .file, "cannot lock the store's lock file '\(name)': errno \(failure)",
          cause: POSIXError(number: failure))
      }
      guard WaitLimit.now < limit.end(since: since()) else {
        throw Graph.StoreError(
          .busy, "waited \(limit.text) for the lock of '\(name)', which another process holds")
      }
      setWaiting(true)
      usleep(pause)
      pause = min(pause * 2, Self.longestPause)
      failure = failureOfTaking()
    }
  }

  /// In microseconds.
  private static let longestPause: UInt32 = 1000

  /// Waits until waiting processes have checked the lock, but not for one that does not check: it
  /// may be stopped.
  func yield() {
    for _ in 0..<3 where isAwaited { usleep(Self.longestPause) }
  }
}

// A commit is announced by writing one byte to the lock's file, whereas the log is written to
// several times for each page. An observer of the file shares a lock on its first byte, so nothing
// has to be written without other observers, which is the usual case.
extension ProcessLock {
  /// From now on, commits of others are announced to observers of the file.
  func registerObserver() {
    #if !canImport(Darwin)
      lockByte(0, Self.setLock, F_RDLCK)
    #endif
  }

  /// Notifies observers of the file, in another process or in this one, of a commit.
  // Safe: one byte of a local variable is written.
  func announceCommit() {
    guard hasObservers else { return }
    var mark = UInt8(ascii: "\n")
    // If a commit cannot be announced, observers are notified with the next one.
    _ = unsafe pwrite(descriptor, &mark, 1, 0)
  }

  /// Whether there are other observers. True if it is unknown: an unnecessary byte only causes a
  /// check.
  private var hasObservers: Bool {
    #if canImport(Darwin)
      true
    #else
      lockByte(0, Self.getLock, F_WRLCK) != F_UNLCK
    #endif
  }

  /// Whether a process waits for the lock. True if it is unknown.
  var isAwaited: Bool {
    #if canImport(Darwin)
      true
    #else
      lockByte(1, Self.getLock, F_WRLCK) != F_UNLCK
    #endif
  }

  #if canImport(Darwin)
    static let reportsWaiting = false
  #else
    static let reportsWaiting = true
  #endif

  fileprivate func setWaiting(_ isWaiting: Bool) {
    #if !canImport(Darwin)
      lockByte(1, Self.setLock, isWaiting ? F_WRLCK : F_UNLCK)
    #endif
  }

  #if !canImport(Darwin)
    /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, locks of a descriptor instead of its process. The
    /// C library declares the names only for programs that request GNU's extensions.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// - Returns: the type of the existing lock, or of the requested one.
    // Safe: the system reads and writes a local variable.
    @discardableResult
    private func lockByte(_ position: off_t, _ command: Int32, _ type: Int32) -> Int32 {
      var lock = flock()
      lock.l_type = Int16(type)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = position
      lock.l_len = 1
      _ = unsafe fcntl(descriptor, command, &lock)
      return Int32(lock.l_type)
    }
  #endif
}

/// Counts the forks that led to this process since the first file was opened.
enum Forks {
  private static let number = AtomicNumber(0)

  /// The handler runs in the child and only counts. The number exists before, since its creation in the
  /// child could wait for a thread that only the parent has.
  private static let isCounting: Bool = {
    _ = number
    return pthread_atfork(nil, nil, { Forks.number.add(1) }) == 0
  }()

  static var count: Int {
    _ = isCounting
    return number.load()
  }
}
