#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

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

/// An open file, and its path when it was opened.
///
/// Other programs may rename or replace the file meanwhile. Data that is then written to it is lost
/// for users of the path.
final class FilePlace: Sendable {
  let path: String
  let identity: FileIdentity
  private let forks = Forks.count
  private let isGone = Atomic(false)

  /// - Throws: `replaced` if the path no longer leads to a file.
  init(path: String) throws(StoreError) {
    guard let identity = FileIdentity(path: path) else {
      throw StoreError(
        .replaced, "the store's file was moved aside or deleted; open the store again")
    }
    self.path = path
    self.identity = identity
  }

  /// Whether the process has forked since: SQLite's locks stay with the parent, and this process
  /// has inherited only its connections.
  var isInherited: Bool { forks != Forks.count }

  /// Whether an earlier ``check()`` has found another file at the path.
  var isKnownToBeGone: Bool { isGone.load(ordering: .relaxed) }

  /// Checks that the file is still at its path.
  ///
  /// - Throws: `replaced`, and from then on always; `file` in a process that has inherited the
  ///   connections.
  func check() throws(StoreError) {
    if FileIdentity(path: path) != identity { isGone.store(true, ordering: .relaxed) }
    try checkKnown()
  }

  /// The same without a system call.
  func checkKnown() throws(StoreError) {
    if isKnownToBeGone {
      throw StoreError(
        .replaced, "the store's file was moved aside or replaced; open the store again")
    }
    if isInherited { throw .inherited }
  }

  /// From now on, the path leads to another file.
  func leave() { isGone.store(true, ordering: .relaxed) }
}

extension StoreError {
  static var inherited: StoreError {
    StoreError(
      .file, "the file was opened before the process forked; only the parent process can use it")
  }
}

/// Counts the forks that led to this process since the first file was opened.
enum Forks {
  private static let number = Atomic<Int>(0)

  /// The handler runs in the child and only counts.
  private static let isCounting: Bool =
    pthread_atfork(nil, nil, { Forks.number.add(1, ordering: .relaxed) }) == 0

  static var count: Int {
    _ = isCounting
    return number.load(ordering: .relaxed)
  }
}
