#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls of the system, where Foundation does something else or nothing. GeneratorToolTests has a test
/// for each of them.
// Safe: paths are strings that the calls borrow, and other arguments are local variables.
extension FileAccess {
  /// Foundation's attributes of a symbolic link are those of the link, not of its file.
  func kind(of path: String) -> Kind {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return .nothing }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The bytes of a file or pipe up to a number. `Data(contentsOf:)` has no limit, and reads no pipe
  /// on Linux.
  func bytes(of path: String, upToCount limit: Int) throws(POSIXError) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw POSIXError.last }
    defer { close(file) }
    return try contents(of: file, upToCount: limit)
  }

  /// Moves a file, over another one if there is one, or a folder, over an empty one.
  /// `FileManager.moveItem` replaces nothing, and FoundationEssentials has no `replaceItemAt`.
  func move(_ path: String, over other: String) throws(FileError) {
    try attempt(FileError.unwritable, other) {
      guard unsafe rename(path, other) == 0 else { throw POSIXError.last }
    }
  }

  /// The path without symbolic links and `..`, as far as there are files. `URL` resolves no link in a
  /// path whose end does not exist, and removes `..` together with a link in front of it.
  // Safe: the result is a string that ends in a zero byte, which is copied before it is freed.
  func absolute(_ path: String) -> String {
    if let real = unsafe realpath(path.isEmpty ? "." : path, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    if path.isEmpty { return "/" }
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    let whole = Path.join(absolute(Path.folder(of: path)), Path.name(of: path))
    return url(whole).standardizedFileURL.path
  }

  /// The path of this program; nil if the system does not report it. `Bundle` is not in
  /// FoundationEssentials.
  var executable: String? {
    if kind(of: "/proc/self/exe") == .file { return absolute("/proc/self/exe") }
    // Without /proc, the path with which the program was started, unless a shell has searched for it.
    return CommandLine.arguments.first.flatMap { $0.contains("/") ? absolute($0) : nil }
  }
}

// Not a method, since in `FileAccess` another function has the name `read`.
// Safe: `read` fills at most the `room` bytes that `part` has.
private func contents(of file: Int32, upToCount limit: Int) throws(POSIXError) -> [UInt8] {
  var contents: [UInt8] = []
  var part = [UInt8](repeating: 0, count: min(limit, 1 << 16))
  while contents.count < limit {
    let room = min(part.count, limit - contents.count)
    let count = unsafe part.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, room) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw POSIXError.last }
    if count == 0 { break }
    contents += part[..<count]
  }
  return contents
}

extension POSIXError {
  /// The error of the last call of the system.
  static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
