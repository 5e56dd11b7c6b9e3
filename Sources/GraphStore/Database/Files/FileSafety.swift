import Foundation

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
  package static func open(_ path: String) throws(Graph.StoreError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openFile(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? .symbolicLink(path) : .system("cannot open", path)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .irregularFile(path)
    }
    if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 {
      close(descriptor)
      throw .system("cannot make the file private", path)
    }
    return descriptor
  }

  /// Creates an empty file of mode 0600, unless the file exists by now.
  static func create(_ path: String) throws(Graph.StoreError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openFile(path, flags, 0o600)
    // A new file cannot have locks.
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .system("cannot create", path)
    }
    try check(path)
  }

  /// Ensures, without opening it, that a file is a regular one, of mode 0600, and has only one
  /// name: SQLite finds the log by the name.
  ///
  /// - Parameter isOptional: whether it may be missing, or be deleted during the check.
  static func check(_ path: String, isOptional: Bool = false) throws(Graph.StoreError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if isOptional, errno == ENOENT { return }
      throw .system("cannot read the attributes of", path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: throw .symbolicLink(path)
    case S_IFDIR:
      throw Graph.StoreError(.file, "'\(path)' is a directory; use the path of a file in it")
    default: throw .irregularFile(path)
    }
    guard status.st_nlink < 2 else {
      throw Graph.StoreError(
        .unsafePath, "'\(path)' has several names (hard links); delete the others, or use a copy")
    }
    guard unsafe status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0 else {
      if isOptional, errno == ENOENT { return }
      throw .system("cannot make the file private", path)
    }
    guard unsafe access(path, R_OK | W_OK) == 0 else {
      if isOptional, errno == ENOENT { return }
      throw .system("cannot read and write", path)
    }
  }

  /// Creates a directory of mode 0700 and its parents; existing directories stay unchanged.
  package static func makeDirectory(_ path: String) throws(Graph.StoreError) {
    if unsafe path.isEmpty || path == "/" || mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else {
      throw .system("cannot create the directory", path)
    }
    try makeDirectory(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .system("cannot create the directory", path)
    }
  }

  /// The directory's path without symbolic links.
  // Safe: `realpath` returns text that ends in a zero byte, and is freed here after it is copied.
  static func resolved(directory path: String) throws(Graph.StoreError) -> String {
    guard let resolved = unsafe realpath(path, nil) else {
      throw .system("cannot resolve the directory", path)
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Deletes a regular file; a missing one is not an error.
  package static func delete(_ path: String) throws(Graph.StoreError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .system("cannot delete", path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .irregularFile(path) }
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system("cannot delete", path) }
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}

extension Graph.StoreError {
  fileprivate static func symbolicLink(_ path: String) -> Graph.StoreError {
    Graph.StoreError(.unsafePath, "'\(path)' is a symbolic link; use the path of its target")
  }

  fileprivate static func irregularFile(_ path: String) -> Graph.StoreError {
    Graph.StoreError(.unsafePath, "'\(path)' is not a regular file; use another path")
  }

  /// The error of the last system call, with a remedy if there is one.
  // Safe: `strerror` returns text that ends in a zero byte, and is copied at once.
  package static func system(_ action: String, _ path: String, _ code: Int32 = errno)
    -> Graph.StoreError
  {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
    let advice: String? =
      switch code {
      case EACCES, EPERM: "check the owner and permissions of the file and its folder"
      case EROFS: "use a folder that is writable"
      case ENAMETOOLONG: "use a shorter path"
      case ENOSPC, EDQUOT: "free some space on the disk"
      case EMFILE, ENFILE: "close other files, or raise the limit of open files"
      case ENOTDIR: "a part of the path is a file instead of a folder; use another path"
      case EEXIST: "delete the file or folder at the path, or use another path"
      default: nil
      }
    let message = "\(action) '\(path)': \(text) (errno \(code))"
    return Graph.StoreError(
      .file, advice.map { "\(message); \($0)" } ?? message, cause: POSIXError(number: code))
  }
}

/// `open` of the C library, under a name that ``FileSafety/open(_:)`` does not hide.
// Safe: the path is a string that the call borrows.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}
