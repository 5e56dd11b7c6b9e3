#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The device and the inode of a file, which identify it regardless of its path.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Nil if the path leads to no file. The file is not opened: closing it again would drop the
  /// locks that SQLite has on it in this process.
  // Safe: `stat` is filled as a local variable, the path is a string that the call borrows.
  init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// The identities, sizes and times of a store's file and its log. Reading them opens no file and takes no lock.
///
/// Every commit and every checkpoint changes the stamp, unless an earlier change of the same file has the same
/// time; see ``isSettled``.
package struct FileStamp: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    let identity: FileIdentity
    /// In bytes.
    package let size: Int
    /// The time of the last change, in nanoseconds since 1970.
    let changed: Int64

    init(_ status: stat) {
      identity = FileIdentity(status)
      size = Int(status.st_size)
      #if canImport(Darwin)
        changed = max(Self.time(status.st_ctimespec), Self.time(status.st_mtimespec))
      #else
        changed = max(Self.time(status.st_ctim), Self.time(status.st_mtim))
      #endif
    }

    fileprivate static func time(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  }

  package let file: File
  /// The write-ahead log; nil if there is none.
  package let log: File?
  /// Whether the log's index exists. Its time changes with reading, so it is not a part of the stamp.
  let hasIndex: Bool
  let isRegular: Bool

  /// Nil if the path leads to nothing, or to an empty file: a store that a program has begun to create.
  // Safe: each `stat` is filled as a local variable, the path is a string that the call borrows.
  package init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_size > 0 || status.st_mode & S_IFMT != S_IFREG
    else { return nil }
    file = File(status)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    log = unsafe lstat(path + "-wal", &status) == 0 ? File(status) : nil
    hasIndex = unsafe lstat(path + "-shm", &status) == 0
  }

  /// Whether a later change is certain to change the stamp. File systems take the time from a clock that ticks
  /// at least every 10 ms; some store whole milliseconds, or up to two seconds.
  // Safe: `now` is a local variable.
  package var isSettled: Bool {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    return [file, log].compactMap { $0?.changed }.allSatisfy { changed in
      File.time(now) - changed > (changed % 1_000_000 == 0 ? 4_000_000_000 : 40_000_000)
    }
  }

  /// Whether it is the same file at the path, whatever its content.
  package func isSameFile(as other: FileStamp) -> Bool { file.identity == other.file.identity }
}

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
