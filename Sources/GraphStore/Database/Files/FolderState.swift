#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder, and the time of its last change: of each creation, renaming and deletion in it.
struct FolderState {
  let identity: FileIdentity
  /// In nanoseconds, which exceed the 32 bits of an Int on watches.
  let changed: Int64

  /// Nil if the path leads to nothing.
  // Safe: `stat` is filled as a local variable, the path is a string that the call borrows.
  init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    // Programs can set the time of modification, and some file systems have only that.
    #if canImport(Darwin)
      changed = max(Self.time(status.st_ctimespec), Self.time(status.st_mtimespec))
    #else
      changed = max(Self.time(status.st_ctim), Self.time(status.st_mtim))
    #endif
  }

  /// Whether a later change is certain to have another time. File systems take the time from a clock that
  /// ticks at least every 10 ms; some store whole milliseconds, or up to two seconds.
  // Safe: `now` is a local variable.
  var isSettled: Bool {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    return Self.time(now) - changed > (changed % 1_000_000 == 0 ? 4_000_000_000 : 40_000_000)
  }

  private static func time(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
