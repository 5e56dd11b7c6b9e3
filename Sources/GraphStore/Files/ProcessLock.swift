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

  /// Takes the lock if nobody has it, until ``release()``.
  func tryToTake() -> Bool { failureOfTaking() == 0 }

  /// - Returns: 0, or why the lock cannot be had.
  private func failureOfTaking() -> Int32 {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
  }

  func release() { flock(descriptor, LOCK_UN) }

  /// Waits for the lock, which is the caller's until ``release()``.
  ///
  /// The system has no call that waits for such a lock for a limited time, so it is looked at again and
  /// again, at least once a millisecond. One who waits says so with a lock on the second byte.
  ///
  /// - Parameter since: when this process had the lock last; waiting begins anew with it.
  /// - Throws: `busy` after the limit, `file`.
  func take(_ limit: WaitLimit, since: () -> UInt64 = { 0 }) throws(StoreError) {
    var failure = failureOfTaking()
    if failure == 0 { return }
    defer { stand(inLine: false) }
    var pause: UInt32 = 50
    while failure != 0 {
      let name = path.split(separator: "/").last ?? ""
      guard failure == EWOULDBLOCK || failure == EINTR else {
        throw StoreError(.file, "cannot lock the store's lock file '\(name)': errno \(failure)")
      }
      guard WaitLimit.now < limit.end(since: since()) else {
        throw StoreError(
          .busy, "waited \(limit.text) for the lock of '\(name)', which another process holds")
      }
      stand(inLine: true)
      usleep(pause)
      pause = min(pause * 2, Self.longestPause)
      failure = failureOfTaking()
    }
  }

  /// In microseconds.
  private static let longestPause: UInt32 = 1000

  /// Waits until those who waited have looked at the lock, but not for one that does not look: it may be
  /// stopped.
  func letOthersGoFirst() {
    for _ in 0..<3 where isAwaited { usleep(Self.longestPause) }
  }
}

// Commits are announced by a byte that is written to the lock's file: once for each, where the log is
// written to several times for each page. Who watches the file shares a lock on its first byte, so that
// nothing has to be written where nobody else does, which is nearly always.
extension ProcessLock {
  /// From now on the commits of others are announced to who watches the file.
  func attend() {
    #if !canImport(Darwin)
      lockByte(0, Self.setLock, F_RDLCK)
    #endif
  }

  /// Tells who watches the file, in another process or in this one, of a commit.
  // Safe: one byte is written, that of a local variable.
  func announceCommit() {
    guard isAttended else { return }
    var mark = UInt8(ascii: "\n")
    // Nobody is told of a commit that cannot be announced before the next one.
    _ = unsafe pwrite(descriptor, &mark, 1, 0)
  }

  /// Whether anybody else attends. True where it cannot be told: a byte too much is only looked at.
  private var isAttended: Bool {
    #if canImport(Darwin)
      true
    #else
      lockByte(0, Self.getLock, F_WRLCK) != F_UNLCK
    #endif
  }

  /// Whether anybody waits for the lock. True where it cannot be told.
  var isAwaited: Bool {
    #if canImport(Darwin)
      true
    #else
      lockByte(1, Self.getLock, F_WRLCK) != F_UNLCK
    #endif
  }

  #if canImport(Darwin)
    static let tellsWhetherAwaited = false
  #else
    static let tellsWhetherAwaited = true
  #endif

  fileprivate func stand(inLine isWaiting: Bool) {
    #if !canImport(Darwin)
      lockByte(1, Self.setLock, isWaiting ? F_WRLCK : F_UNLCK)
    #endif
  }

  #if !canImport(Darwin)
    /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, locks of a descriptor and not of its process. The C
    /// library has the names for programs alone that ask for GNU's.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// - Returns: the type of the lock that is there, or was wanted.
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
