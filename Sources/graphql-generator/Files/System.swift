#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Members below have the names of these functions, and hide them.
// Safe: the functions are only named here; their callers justify the calls.
private let systemRename = unsafe rename
private let systemExit = exit
// Safe: as above: they are only named.
private let systemRead = unsafe read
// Safe: as above: they are only named.
private let systemWrite = unsafe write

/// The operating system's functions that the tool uses.
///
/// Calling them directly avoids loading Foundation, which was a quarter of the time of the process
/// before it does anything.
// Safe: paths are strings that the calls borrow; they fill local variables of the right type.
enum System {
  /// The kind of file at a path, after following symbolic links.
  static func kind(of path: String) -> FileAccess.Kind {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return .nothing }
    switch info.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The path without symbolic links, `.` and `..`; nil unless there is a file.
  // Safe: the result is a string that ends in a zero byte, which is copied before it is freed.
  static func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// The path of this program; nil if the system does not report it.
  static var executable: String? {
    if let path = realPath("/proc/self/exe") { return path }
    // Without /proc, the path with which the program was started, unless a shell has searched for it.
    return CommandLine.arguments.first.flatMap { $0.contains("/") ? realPath($0) : nil }
  }

  static func rename(_ path: String, to other: String) throws(SystemError) {
    guard unsafe systemRename(path, other) == 0 else { throw SystemError(code: errno) }
  }

  static var isErrorWatched: Bool { isatty(STDERR_FILENO) == 1 }

  static func exit(_ status: Int32) -> Never {
    systemExit(status)
  }
}

/// The operating system's reason for an error, as a phrase.
struct SystemError: Error, CustomStringConvertible {
  let code: Int32

  // Safe: `strerror` returns text that ends in a zero byte, and it is copied at once.
  var description: String {
    switch code {
    case EACCES, EPERM: "permission denied"
    case ENOSPC, EDQUOT: "no space is left"
    case EROFS: "the volume is read-only"
    case ENOENT: "there is no such file or folder"
    case EEXIST, ENOTDIR: "there is a file where a folder is needed"
    default: unsafe String(cString: strerror(code))
    }
  }
}

/// An open file, closed when its owner is released.
struct Descriptor: ~Copyable {
  private let number: Int32
  private let isOwned: Bool

  static var standardOutput: Descriptor { Descriptor(number: STDOUT_FILENO, isOwned: false) }
  static var standardError: Descriptor { Descriptor(number: STDERR_FILENO, isOwned: false) }

  /// Opens a file or pipe to read it.
  static func opened(_ path: String) throws(SystemError) -> Descriptor {
    try Descriptor(path, O_RDONLY | O_CLOEXEC)
  }

  /// Creates a file that does not exist yet.
  static func created(_ path: String) throws(SystemError) -> Descriptor {
    try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
  }

  private init(number: Int32, isOwned: Bool) {
    self.number = number
    self.isOwned = isOwned
  }

  // Safe: the path is a string that the call borrows.
  private init(_ path: String, _ flags: Int32) throws(SystemError) {
    let number = unsafe open(path, flags, 0o666)
    guard number >= 0 else { throw SystemError(code: errno) }
    self.init(number: number, isOwned: true)
  }

  deinit { if isOwned { close(number) } }

  /// The bytes up to the end, or the requested number.
  // Safe: the call fills a local variable of the type that it expects.
  func bytes(upToCount limit: Int) throws(SystemError) -> [UInt8] {
    var info = stat()
    let expected = unsafe fstat(number, &info) == 0 ? Int(info.st_size) : 0
    var bytes: [UInt8] = []
    while bytes.count < limit {
      // More than expected: a shorter result may be the end, and a parser has space for its zero
      // bytes after a text.
      let room = min(max(expected + 16 - bytes.count, 1 << 16), limit - bytes.count)
      let (part, code) = read(upToCount: room)
      if code == EINTR { continue }
      guard code == 0 else { throw SystemError(code: code) }
      if part.isEmpty { break }
      if bytes.isEmpty { bytes = part } else { bytes += part }
    }
    return bytes
  }

  /// Whether the bytes up to the end are equal to these. Reads into a small buffer instead of
  /// loading the whole file, and nothing if the sizes differ.
  // Safe: both have the `count` bytes that are compared, and the call has filled `count` bytes.
  func contains(_ bytes: [UInt8]) throws(SystemError) -> Bool {
    var info = stat()
    let isRegular = unsafe fstat(number, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    if isRegular, Int(info.st_size) != bytes.count { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var compared = 0
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe systemRead(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno) }
      if count == 0 { return compared == bytes.count }
      guard count <= bytes.count - compared else { return false }
      let isEqual = unsafe bytes[compared...].withUnsafeBytes { expected in
        unsafe buffer.withUnsafeBytes {
          unsafe memcmp($0.baseAddress!, expected.baseAddress!, count) == 0
        }
      }
      guard isEqual else { return false }
      compared += count
    }
  }

  // Safe: the buffer has `room` bytes, of which the call has filled the returned `count`.
  private func read(upToCount room: Int) -> (bytes: [UInt8], code: Int32) {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let result = unsafe systemRead(number, buffer.baseAddress, room)
      if result < 0 { code = errno }
      count = max(result, 0)
    }
    return (bytes, code)
  }

  // Safe: the slice has the bytes from `start` on, which are valid during the call.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes {
        unsafe systemWrite(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno) }
      start += count
    }
  }
}
