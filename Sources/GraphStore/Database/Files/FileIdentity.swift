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
