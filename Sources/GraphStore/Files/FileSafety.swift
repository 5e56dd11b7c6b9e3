#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that only their owner can read, from their first byte.
// Safe: paths are strings that the calls borrow; `stat` is filled as a local variable.
package enum FileSafety {
  /// Opens a regular file of mode 0600, which is created if there is none. A symbolic link is
  /// refused. Not for a file that SQLite has open: closing the descriptor would drop SQLite's
  /// locks.
  ///
  /// - Returns: a descriptor that the caller closes.
  package static func open(_ path: String) throws(StoreError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openFile(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? .symbolicLink : StoreError(.file, "cannot open the file: errno \(errno)")
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .irregularFile
    }
    if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 {
      close(descriptor)
      throw StoreError(.file, "cannot make the file private: errno \(errno)")
    }
    return descriptor
  }

  /// Creates an empty file of mode 0600, unless there is one meanwhile.
  static func create(_ path: String) throws(StoreError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openFile(path, flags, 0o600)
    // A new file cannot have locks.
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StoreError(.file, "cannot make the file: errno \(errno)")
    }
    try check(path)
  }

  /// Ensures, without opening it, that a file is a regular one, of mode 0600, and has only one
  /// name: SQLite finds the log by the name.
  ///
  /// - Parameter isOptional: whether it may be missing, or be deleted meanwhile.
  static func check(_ path: String, isOptional: Bool = false) throws(StoreError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if isOptional, errno == ENOENT { return }
      throw StoreError(.file, "cannot look at the file: errno \(errno)")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: throw .symbolicLink
    case S_IFDIR: throw StoreError(.file, "the path is a directory")
    default: throw .irregularFile
    }
    guard status.st_nlink < 2 else {
      throw StoreError(.unsafePath, "the file has several names (hard links); leave it one")
    }
    guard unsafe status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0 else {
      if isOptional, errno == ENOENT { return }
      throw StoreError(.file, "cannot make the file private: errno \(errno)")
    }
    guard unsafe access(path, R_OK | W_OK) == 0 else {
      if isOptional, errno == ENOENT { return }
      throw StoreError(.file, "cannot open the file: errno \(errno)")
    }
  }

  /// Creates a directory of mode 0700 and its parents; existing directories stay unchanged.
  static func makeDirectory(_ path: String) throws(StoreError) {
    if unsafe path.isEmpty || path == "/" || mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else {
      throw StoreError(.file, "cannot make the directory: errno \(errno)")
    }
    try makeDirectory(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreError(.file, "cannot make the directory: errno \(errno)")
    }
  }

  /// The directory's path without symbolic links.
  // Safe: `realpath` returns text that ends in a zero byte, and is freed here after it is copied.
  static func resolved(directory path: String) throws(StoreError) -> String {
    guard let resolved = unsafe realpath(path, nil) else {
      throw StoreError(.file, "cannot resolve the directory: errno \(errno)")
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}

extension StoreError {
  fileprivate static var symbolicLink: StoreError {
    StoreError(.unsafePath, "the path is a symbolic link")
  }

  fileprivate static var irregularFile: StoreError {
    StoreError(.unsafePath, "the path is not a regular file")
  }
}

/// `open` of the C library, under a name that ``FileSafety/open(_:)`` does not hide.
// Safe: the path is a string that the call borrows.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}
